-- Drivers.
create schema owner;
select platform.opened('owner');
