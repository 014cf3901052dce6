-- The associations that a push wrote or removed of a kept record, so that a run says what it linked to what: {"portal/kind of
-- target/its record": "linked" or "unlinked"}. Ids alone: names are read where they are kept. Null in runs of earlier releases.
alter table run_records add column links jsonb;
