-- How far the register of a charge has got: a reading more is added to it, and those before are not read again.
alter table charging.charge add column running jsonb;
select platform.uncounted('charging.charge');
