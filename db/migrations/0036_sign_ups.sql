-- Nobody has an account before the address is proven: what was chosen at a sign-up waits here, beside hashes of what the
-- mail and the browser of that sign-up hold. A later sign-up with the address takes the place of an earlier one.
create table sign_ups (
  email text primary key,
  name text not null,
  password_hash text not null,
  link_hash text not null unique,
  browser_hash text not null,
  expires_at timestamptz not null
);
create index sign_ups_expires_at_idx on sign_ups (expires_at);
-- An account whose address was never proven holds a password that anybody may have chosen, and nothing else.
delete from "user" where not "emailVerified";
