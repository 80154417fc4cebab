import type { ComponentHealth } from '#contracts/health.ts';
import { Problem } from '#runtime/problem.ts';

/** The health of a part that is read from the database: without it, nothing is known of it. */
export const createReadingHealth =
  (read: () => Promise<ComponentHealth>) =>
  async (database: ComponentHealth): Promise<ComponentHealth> => {
    if (database.status === 'down') return { status: 'down', detail: 'It is read from the database.' };
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { status: 'degraded', detail: error.message };
    }
  };
