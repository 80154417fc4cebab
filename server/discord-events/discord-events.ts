import type { Kysely } from 'kysely';
import type { Language } from '#contracts/language.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../database/tables.ts';
import type { ChangeRights } from '../roles/rights-lock.ts';
import { createEventBatches, type EventBatches } from './event-batches.ts';
import { createEventRules, type EventRules } from './event-rules.ts';
import { createKnownGuild, type KnownGuild } from './known-guild.ts';
import { renumberRestored } from './restored-lanes.ts';
import { createTestPosts, type TestPosts } from './test-posts.ts';

export interface DiscordEvents {
  readonly guild: KnownGuild;
  readonly rules: EventRules;
  readonly batches: EventBatches;
  readonly testPosts: TestPosts;
  /** The language that the bot speaks. */
  readonly language: () => Promise<Language>;
  /** Null: the community has none. */
  readonly communityName: () => Promise<string | null>;
  /** Called once the schema is in place, and again after the database was unavailable: it may be another one. */
  prepare(): Promise<void>;
}

export interface DiscordEventsOptions extends Pick<DiscordEvents, 'language' | 'communityName'> {
  readonly db: Kysely<Tables>;
  readonly changeRights: ChangeRights;
  readonly serverName: (id: string) => string | null;
  readonly log: Log;
}

export const createDiscordEvents = (options: DiscordEventsOptions): DiscordEvents => {
  const { db, changeRights, serverName, language, communityName, log } = options;
  const guild = createKnownGuild();
  return {
    guild,
    rules: createEventRules(db, changeRights, guild),
    batches: createEventBatches({ db, serverName }),
    testPosts: createTestPosts(),
    language,
    communityName,
    async prepare() {
      if (await renumberRestored(db))
        log.warn('the database comes from another cluster: renumbered the event feed');
    },
  };
};
