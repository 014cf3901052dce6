-- Each request to a provider takes two places. As a function, the statements are planned once in a connection and not for
-- each of them.

-- The next place of a pace: after how many milliseconds it may be used, and whether it was taken. One that is further off
-- than `ahead_ms` is not. Never more places than `requests` in any window of `window_ms`. `recovery` is by how much a
-- slowed pace grows with each place; `clock` is in Unix milliseconds, the database's own where it is null.
create function take_place(pace_account text, pace_bucket text, requests integer, window_ms double precision,
                           ahead_ms double precision, recovery double precision, clock double precision,
                           out wait_ms double precision, out is_taken boolean)
  language plpgsql volatile
as $$
declare
  pace paces;
  count integer;
  clocked_at double precision;
  due double precision;
begin
  loop
    select * into pace from paces where account = pace_account and bucket = pace_bucket for update;
    exit when found;
    insert into paces (account, bucket) values (pace_account, pace_bucket) on conflict do nothing;
  end loop;
  clocked_at := coalesce(clock, extract(epoch from clock_timestamp())::double precision * 1000);
  count := cardinality(pace.taken_ms);
  -- A clock that was put back must not leave places in a far future behind, hence `least`.
  due := greatest(
    clocked_at, pace.paused_until_ms,
    least(coalesce(pace.taken_ms[count], 0), clocked_at + ahead_ms),
    least(coalesce(pace.taken_ms[count - requests + 1], '-infinity'), clocked_at + ahead_ms) + window_ms / pace.share);
  wait_ms := due - clocked_at;
  is_taken := due <= clocked_at + ahead_ms;
  if is_taken then
    update paces set taken_ms = (pace.taken_ms || due)[greatest(1, count - requests + 2):],
                     share = least(1, pace.share * recovery)
     where account = pace_account and bucket = pace_bucket;
  end if;
end
$$;
