-- Shared bays and reservations.
create schema share;
select platform.opened('share');
