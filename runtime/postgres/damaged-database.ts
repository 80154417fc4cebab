import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { StartupError } from '../program.ts';

/** The files of a database cannot be read, or hold something else than Postgres wrote. */
export class DamagedDatabaseError extends StartupError {
  /** In words, a sentence. */
  readonly why: string;

  constructor(why: string, options?: ErrorOptions) {
    super(`${healthReasons['database-damaged'](why)} ${healthReasons['database-damaged-advice']}`, options);
    this.why = why;
  }
}
