-- Refunds items whose lease has expired. Returns the number of expired leases.
-- @include metering/prelude
return sweep()
