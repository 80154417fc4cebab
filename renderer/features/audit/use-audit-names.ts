import type { AuditRow } from '#contracts/audit.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import { auditWords } from './audit.words.ts';
import { auditActions } from './audit-actions.words.ts';
import { referenceIn } from './reference.ts';

export interface AuditNames {
  actor(row: AuditRow): string;
  action(name: string): string;
  target(row: AuditRow): string;
}

const wordIn = (words: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? name) : name;

const nameIn = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : null;

/** Of a row about something that was sent to consoles. */
const commandIn = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'command' in value && typeof value.command === 'string'
    ? value.command
    : null;

/** What people call the things that an audit row names by their ids. */
export const useAuditNames = (): AuditNames => {
  const words = useWords(auditWords);
  const actions = useWords(auditActions);
  const can = useCan();
  const servers = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.read') });
  return {
    actor: ({ actor: { kind, id, name } }) =>
      name ?? [wordIn(words.actors, kind), id].filter(Boolean).join(' '),
    action: (name) => wordIn(actions, name),
    target({ target, before, after }) {
      if (target === null) return '';
      const { kind, id } = referenceIn(target);
      // The id of a run says nothing to anybody; what was sent says it all.
      if (kind === 'console-run') return commandIn(after) ?? wordIn(words.targets, kind);
      const name =
        kind === 'server'
          ? servers.data?.rows.find((server) => server.id === id)?.name
          : kind === 'session'
            ? ''
            : (nameIn(after) ?? nameIn(before));
      return `${wordIn(words.targets, kind)} ${name ?? id}`.trim();
    },
  };
};
