-- A pace whose places are even by a gap between them can have a longer window: what a standstill left unused within it is
-- made up for.

drop function take_place(text, text, integer, double precision, double precision, double precision, double precision);

-- The next place of a pace: after how many milliseconds it may be used, and whether it was taken. One that is further off
-- than `ahead_ms` is not. Never more places than `requests` in any window of `window_ms`, and never two of them closer than
-- `gap_ms`. `recovery` is by how much a slowed pace grows with each place; `clock` is in Unix milliseconds, the database's
-- own where it is null.
create function take_place(pace_account text, pace_bucket text, requests integer, window_ms double precision,
                           gap_ms double precision, ahead_ms double precision, recovery double precision,
                           clock double precision, out wait_ms double precision, out is_taken boolean)
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
  -- A clock that was put back leaves places in a far future behind: they count as taken now.
  if pace.taken_ms[count] > clocked_at + ahead_ms then
    pace.taken_ms := array_fill(clocked_at, array[count]);
  end if;
  due := greatest(
    clocked_at, pace.paused_until_ms, pace.taken_ms[count] + gap_ms / pace.share,
    pace.taken_ms[count - requests + 1] + window_ms / pace.share);
  wait_ms := due - clocked_at;
  is_taken := due <= clocked_at + ahead_ms;
  if is_taken then
    update paces set taken_ms = (pace.taken_ms || due)[greatest(1, count - requests + 2):],
                     share = least(1, pace.share * recovery)
     where account = pace_account and bucket = pace_bucket;
  end if;
end
$$;
