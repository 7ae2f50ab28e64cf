-- Refunds items whose lease has expired. Returns the number of expired leases.
-- @include metering/units
return sweep()
