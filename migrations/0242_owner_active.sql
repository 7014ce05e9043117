-- An owner was last active when their money last moved, or when they registered.
create or replace view owner.profile with (security_invoker = true) as
  select a.id as owner_id, a.enterprise_id, a.phone, a.nickname, a.status, a.lock_reason, a.registered_at, greatest(a.active_at, m.at) as active_at, a.erase_at, a.version, coalesce(c.cars, 0)::integer as cars, coalesce(c.verified, 0)::integer as verified,
    coalesce(p.principal_fen + p.bonus_fen, 0)::bigint as stored_fen
  from owner.account a left join owner.purse p on p.enterprise_id = a.enterprise_id and p.owner_id = a.id and p.kind = 1
    left join lateral (select m.at from owner.movement m where m.enterprise_id = a.enterprise_id and m.owner_id = a.id order by m.at desc limit 1) m on true
    left join lateral (select count(*) as cars, count(*) filter (where c.verify_state = 1) as verified from owner.car c where c.enterprise_id = a.enterprise_id and c.owner_id = a.id and c.verify_state <> 4) c on true;
