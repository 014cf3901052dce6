-- What an import reads gets columns of its own, in place of a state in JSON: its plan, the windows of its lists, and
-- single objects. Imports that are open go on where they were.

-- What the plan of an import found out. Times of the provider's clock are in Unix seconds.
create table import_plans (
  organization_id integer not null,
  run_id text not null,
  -- 'first' until an import of this account has completed: nothing is stored yet, and every customer is due.
  mode text not null check (mode in ('first', 'again')),
  is_full boolean not null,
  are_customers_read boolean not null,
  -- End of the record of changes that this import has read.
  events_until bigint,
  -- A lower bound of the provider's clock at planning.
  clock_at bigint,
  -- Whether current figures of every subscription are stored; until then the history waits for them.
  figures_stand boolean not null,
  primary key (organization_id, run_id),
  foreign key (organization_id, run_id) references runs (organization_id, id) on delete cascade
);

-- A list between two instants of creation, with its own cursor, which is saved together with the rows of each page.
-- Workers share the windows: `holder` reads one until its lease ends.
create table import_windows (
  organization_id integer not null,
  run_id text not null,
  id text not null,
  kind text not null,
  created_from bigint,
  created_until bigint,
  -- No object of the list is older; null where that is unknown.
  oldest_at bigint,
  cursor_id text,
  cursor_at bigint,
  all_pages_read boolean not null default false,
  -- Objects whose nested lists are still to be read, and their customers in the same order.
  incomplete_ids text[] not null default '{}',
  incomplete_customer_ids text[] not null default '{}',
  done_count integer not null default 0,
  is_done boolean not null default false,
  holder text,
  lease_until timestamptz,
  primary key (organization_id, run_id, id),
  foreign key (organization_id, run_id) references runs (organization_id, id) on delete cascade
);

-- A single object that an import fetches by its id.
create table import_objects (
  organization_id integer not null,
  run_id text not null,
  kind text not null,
  id text not null,
  -- null until it is fetched; false if the provider has it no more or refuses it.
  is_found boolean,
  primary key (organization_id, run_id, kind, id),
  foreign key (organization_id, run_id) references runs (organization_id, id) on delete cascade
);

call isolate_by_organization('import_plans', 'import_windows', 'import_objects');

do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    insert into import_plans
      select s.organization_id, s.run_id, case when m.refreshed_at is null then 'first' else 'again' end,
             bool_or(coalesce((s.state -> 'plan' ->> 'isFull')::boolean, false)),
             bool_or(coalesce((s.state -> 'plan' ->> 'isFull')::boolean, false)
                     or coalesce((s.state -> 'plan' ->> 'areCustomersRead')::boolean, false)),
             max((s.state -> 'plan' ->> 'eventsUntil')::bigint), max((s.state -> 'plan' ->> 'clockAt')::bigint),
             m.refreshed_at is not null
        from run_slices s left join payment_mirrors m on m.organization_id = s.organization_id
       where s.organization_id = one.id
       group by s.organization_id, s.run_id, m.refreshed_at;
    insert into import_windows
      select organization_id, run_id, slice, state ->> 'kind', (state ->> 'from')::bigint, (state ->> 'until')::bigint,
             (state ->> 'oldestAt')::bigint, cursor, (state ->> 'cursorAt')::bigint,
             coalesce((state ->> 'isListed')::boolean, false),
             array(select object ->> 'id' from jsonb_array_elements(state -> 'rest') with ordinality as r (object, place)
                    order by place),
             array(select object ->> 'customerId'
                     from jsonb_array_elements(state -> 'rest') with ordinality as r (object, place) order by place),
             done_count, is_done
        from run_slices where organization_id = one.id and state ? 'from';
    insert into import_objects
      select s.organization_id, s.run_id, s.state ->> 'kind', i.id,
             case when i.place <= s.done_count then true when i.place <= (s.state ->> 'next')::bigint then false end
        from run_slices s cross join jsonb_array_elements_text(s.state -> 'ids') with ordinality as i (id, place)
       where s.organization_id = one.id and s.state ? 'ids'
      on conflict do nothing;
    -- A first import no longer marks customers one by one, so all of them are due from here on.
    update customers set is_rebuild_due = true
     where organization_id = one.id and not is_rebuild_due
       and exists (select from import_plans p join runs r on r.organization_id = p.organization_id and r.id = p.run_id
                    where p.organization_id = one.id and p.mode = 'first' and r.status = 'in_progress');
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;

drop table run_slices;
