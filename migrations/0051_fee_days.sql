-- The console's tables say what a tariff's document says too: caps of their own for weekends and holidays, and a price for every full 24 hours.
alter table fee.rule
  add column weekend_cap_fen bigint check (weekend_cap_fen >= 0),
  add column holiday_cap_fen bigint check (holiday_cap_fen >= 0),
  add column whole_day_fen bigint check (whole_day_fen >= 0);
