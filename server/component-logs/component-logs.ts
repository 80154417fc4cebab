import type { Readable } from 'node:stream';
import {
  type ComponentLogPage,
  type ComponentLogSearch,
  type ComponentLogsUsage,
  type LogComponent,
  logComponents,
} from '#contracts/component-logs.ts';
import type { Log } from '#runtime/log.ts';
import type { Redact } from '#runtime/redact.ts';
import type { LiveTopic } from '../live/live-topic.ts';
import { createComponentLogTopic } from './component-log-topic.ts';
import { downloadLog } from './download-log.ts';
import { listLogFiles } from './log-files.ts';
import { searchLog } from './search-log.ts';

export interface ComponentLogsOptions {
  /** Where the supervisor writes the log files. */
  readonly folder: string;
  /** Masks secrets, in case a file contains one anyway. */
  readonly redact: Redact;
  readonly log: Log;
}

/**
 * The log files of the components, which the supervisor writes and this only reads.
 * @throws {Problem} LOG_UNREADABLE, from all methods, when this process's account may not read them
 */
export interface ComponentLogs {
  usage(): Promise<ComponentLogsUsage>;
  /** @throws {Problem} INVALID_REQUEST when the cursor is invalid */
  search(component: LogComponent, query: ComponentLogSearch): Promise<ComponentLogPage>;
  /** All lines, the oldest first, as text. */
  download(component: LogComponent): Promise<Readable>;
  readonly topic: LiveTopic;
}

export const createComponentLogs = ({ folder, redact, log }: ComponentLogsOptions): ComponentLogs => ({
  async usage() {
    const logs = logComponents.map(async (component) => {
      const files = await listLogFiles(folder, component);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const newest = files.findLast((file) => file.bytes > 0);
      return { component, bytes, newestAt: newest?.changedAt.toISOString() ?? null };
    });
    return { logs: await Promise.all(logs) };
  },
  search: (component, query) => searchLog({ folder, component, redact }, query),
  download: (component) => downloadLog({ folder, component, redact }),
  topic: createComponentLogTopic({ folder, redact, log }),
});
