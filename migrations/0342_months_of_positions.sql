-- Positions are forgotten by time: their months go when they are empty.
update platform.monthly set kept = interval '12 months' where parent = 'fleet.position'::regclass;
update platform.monthly set kept = interval '90 days' where parent = 'staff.point'::regclass;
