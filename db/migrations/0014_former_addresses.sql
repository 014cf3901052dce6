-- The earlier addresses of an account. Its deletion takes them out of the records of who did what, too.
create table former_addresses (
  user_id integer references "user" (id) on delete cascade,
  email text,
  primary key (user_id, email)
);
