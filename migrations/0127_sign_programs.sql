-- What the sign of a gate shows at each event: with the gate, because a lane reads it with every car.
alter table parking.gate add column programs jsonb not null default '[]' check (jsonb_typeof(programs) = 'array' and jsonb_array_length(programs) <= 6);
select platform.uncounted('parking.gate');
