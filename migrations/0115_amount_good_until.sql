-- What a car owes grows while it stands. Until then the amount that its order names is the one that is due; a payment after it is held against what is due by then.
alter table settlement.order add column good_until timestamptz;
