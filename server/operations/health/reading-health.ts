import type { ComponentHealth } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { Problem } from '#runtime/problem.ts';

/** The health of a component that is read from the database; unknown without the database. */
export const createReadingHealth =
  (read: () => Promise<ComponentHealth>) =>
  async (database: ComponentHealth): Promise<ComponentHealth> => {
    if (database.status === 'down') return { status: 'down', detail: healthReasons['needs-database'] };
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { status: 'degraded', detail: error.message };
    }
  };
