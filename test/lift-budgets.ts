import { run } from './database.ts'

/** Removes the limits on attempts from a database, for tests that do in a minute what people do in months. */
export async function liftBudgets(ownerUrl: string): Promise<void> {
  await run(
    ownerUrl,
    `create function never_spent() returns trigger language plpgsql as $$
       begin new.used := 1; return new; end $$;
     create trigger never_spent before insert or update on attempt_budgets for each row execute function never_spent()`,
  )
}
