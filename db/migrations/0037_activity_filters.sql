-- The activity is filtered by who acted and by what was done, and each filter lists its values along the same index. Nobody
-- acted in what happens by itself, which differs from an account that was deleted by its missing text.
create index audit_log_actor_idx on audit_log (organization_id, actor_user_id, happened_at);
create index audit_log_action_idx on audit_log (organization_id, action, happened_at);
create index audit_log_without_actor_idx on audit_log (organization_id, (actor_email is null), happened_at)
 where actor_user_id is null;
