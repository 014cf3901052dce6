import type pg from 'pg'

/** With this setting the owner, and only the owner, may read every row for a backup. */
export const backupSetting = 'app.backup'

/**
 * Row-level security hides rows also from an owner without superuser rights, so a dump would be empty. This adds a policy
 * to each such table: its owner may read it during a backup. Another role may run this, also again.
 */
export async function allowBackupByOwner(client: pg.Client): Promise<void> {
  await client.query(`
    do $$
    declare
      named record;
    begin
      for named in
        select c.relname, pg_get_userbyid(c.relowner) as owner
          from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
         where c.relkind in ('r', 'p') and c.relrowsecurity and not exists (
               select from pg_policy p where p.polrelid = c.oid and p.polname = 'backup_by_owner'
                  and p.polroles = array[c.relowner])
      loop
        execute format('drop policy if exists backup_by_owner on %I', named.relname);
        execute format('create policy backup_by_owner on %I for select to %I
                          using (current_setting(''${backupSetting}'', true) = ''on'')', named.relname, named.owner);
      end loop;
    end
    $$`)
}
