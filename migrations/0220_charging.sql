-- Charging piles.
create schema charging;
select platform.opened('charging');
