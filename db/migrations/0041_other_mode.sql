-- When an event of the other mode than the connected key's arrived last: live mode for a test key, or test mode for a live one.
alter table payment_webhooks add column other_mode_at timestamptz;
