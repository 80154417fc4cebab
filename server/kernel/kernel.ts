import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import type { Leases } from './commands/leases.ts';
import type { Notifications } from './database/notifications.ts';
import type { StateBeginnings } from './database/state-beginnings.ts';
import type { Tables } from './database/tables.ts';
import type { EventRecorder } from './events/event-recorder.ts';
import type { JobSender } from './queues/job-sender.ts';
import type { QueuePauses } from './queues/queue-pauses.ts';
import type { Secrets } from './secrets/secrets.ts';

/** What every domain is built with: made once for each API process, and passed on as it is. A function names the part that it uses. */
export interface Kernel {
  readonly config: StackConfig;
  /** The data folder. */
  readonly home: string;
  readonly db: Kysely<Tables>;
  readonly leases: Leases;
  readonly notifications: Notifications;
  readonly events: EventRecorder;
  readonly secrets: Secrets;
  readonly jobs: JobSender;
  readonly pauses: QueuePauses;
  readonly beginnings: StateBeginnings;
  /** Why the database cannot be used, in words; null when it can. */
  readonly obstacle: () => string | null;
  /** Whether the license lets the API work at this moment. */
  readonly licenseHolds: () => boolean;
  readonly log: Log;
}
