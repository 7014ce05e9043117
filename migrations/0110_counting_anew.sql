-- A lane that was replaced or reset counts from one again. What it tells under a number that was used long before is another event, and the number is its from then on.
grant update (message_id, at) on parking.replayed to kerbline_app;
