-- How often a rehearsal was taken up: a process that dies over it leaves it to the next one, but not for ever.
alter table fee.rehearsal add column begun smallint not null default 0 check (begun >= 0);
-- One plate among the stays that change.
create index rehearsed_stay_plate on fee.rehearsed_stay (enterprise_id, rehearsal_id, plate_no, delta_fen, id);
