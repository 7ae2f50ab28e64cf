-- Checks whether a frame may come next. Returns expected, the number of accepted frames, the state and the movements,
-- or a refusal of `liveness/frame`.
-- @include liveness/frame
-- @memory growing
return { 'expected', taken, state, movements }
