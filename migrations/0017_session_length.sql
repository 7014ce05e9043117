-- The settings of how long a session lasts hold for those that run, too: what is over already stays over. A plain client's session, bound to no browser, has an end of its own.
create function identity.limit_sessions(idle_for interval, at_most interval, unbound_at_most interval) returns void language sql security definer set search_path = '' begin atomic
  update identity.session set idle = idle_for, expires_at = started_at + case when bound_hash is null then unbound_at_most else at_most end
  where ended_at is null and expires_at > now() and seen_at > now() - idle; end;
