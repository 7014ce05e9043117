-- What was once refused because it was over stays so, even when the machine's clock is put back to a time at which it was not.
create function identity.end_if_over(token bytea) returns void language sql security definer set search_path = ''
  begin atomic update identity.session set ended_at = now(), ended_by = 'over'
  where token_hash = token and ended_at is null and (expires_at <= now() or seen_at <= now() - idle); end;
