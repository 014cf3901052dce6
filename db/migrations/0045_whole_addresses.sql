-- A pattern that finds an address in texts, and not a longer one that has it inside, such as joann@acme.example for
-- ann@acme.example.
create function mention_of(address text) returns text language sql immutable as $$
  select '(?<![[:alnum:]._%+-])' || regexp_replace(address, '([^[:alnum:]])', '\\\1', 'g') || '(?!-|\.?[[:alnum:]])'
$$;

create or replace function forget_person(person integer, address text) returns void language plpgsql as $$
declare
  outer_organization text := current_setting('app.organization_id', true);
  mention text := mention_of(forget_person.address);
  one record;
begin
  for one in select o."id" from "organization" o loop
    perform set_config('app.organization_id', one."id"::text, true);
    update audit_log set actor_user_id = null, actor_email = 'a deleted account', address = null
     where actor_user_id = person or lower(actor_email) = lower(forget_person.address);
    update audit_log set subject = regexp_replace(subject, mention, 'a deleted account', 'gi')
     where subject ~* mention;
    update runs set message = regexp_replace(message, mention, 'a deleted account', 'gi')
     where message ~* mention;
    update run_logs set line = regexp_replace(line, mention, 'a deleted account', 'gi')
     where position(lower(forget_person.address) in lower(line)) > 0 and line ~* mention;
    update recounts set read_by = 'a deleted account' where lower(read_by) = lower(forget_person.address);
  end loop;
  perform set_config('app.organization_id', coalesce(outer_organization, ''), true);
end
$$;
