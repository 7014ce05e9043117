-- A call that waits for the outside holds its key while it runs: claimed in a short transaction of its own, with no answer yet, and settled at its end.
-- One that was cut off between the two leaves it held; after that time the same request may try again.
create function platform.hold(who text, wanted text, of_call text, of_body text, held interval, out state text, out answer text) language plpgsql security definer set search_path = '' as $$
declare found_row platform.idempotency;
begin
  insert into platform.idempotency as i (user_id, key, call, body_hash) values (who, wanted, of_call, of_body)
    on conflict (user_id, key) do update set at = now() where i.answer is null and i.at < now() - held and i.call = of_call and i.body_hash = of_body;
  if found then state := 'new'; return; end if;
  select * into found_row from platform.idempotency i where i.user_id = who and i.key = wanted;
  if found_row.key is null then state := 'busy'; -- released this moment
  elsif found_row.call <> of_call or found_row.body_hash <> of_body then state := 'reused';
  elsif found_row.answer is null then state := 'busy';
  else state := 'done'; answer := found_row.answer;
  end if;
end $$;
-- It failed: the key is free again.
create function platform.release(who text, wanted text) returns void language sql security definer set search_path = ''
  begin atomic delete from platform.idempotency where user_id = who and key = wanted and answer is null; end;
