import { Text } from '@mantine/core';
import type { Cluster } from '#contracts/clusters.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { ConflictNotice } from '../../../design/conflict-notice.tsx';
import { Facts } from '../../../design/facts.tsx';
import { useWords } from '../../../language/use-words.ts';
import type { changeOf } from '../server-draft.ts';
import { settingsWords } from './settings.words.ts';

const compared = ['name', 'clusterId', 'host', 'port'] as const;

export interface ConflictProps {
  /** The server when the typing began. */
  readonly base: GameServer;
  readonly theirs: GameServer;
  /** What saving mine would change in theirs. */
  readonly change: ReturnType<typeof changeOf>;
  readonly clusters: readonly Cluster[];
  readonly isSaving: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

/** Another admin's changes to the server, next to what is typed here. */
export const Conflict = (props: ConflictProps) => {
  const { base, theirs, change, clusters, isSaving, onKeepMine, onTakeTheirs } = props;
  const { conflict: words, fields } = useWords(settingsWords);
  const textOf = (name: (typeof compared)[number], value: string | number | null) =>
    name === 'clusterId'
      ? (clusters.find(({ id }) => id === value)?.name ?? String(value))
      : String(value ?? fields.none);
  const differences = compared.filter((name) => theirs[name] !== base[name] || name in change);
  const collide = compared.some((name) => theirs[name] !== base[name] && name in change);
  return (
    <ConflictNotice
      title={words.title}
      isSaving={isSaving}
      onTakeTheirs={onTakeTheirs}
      onKeepMine={onKeepMine}
    >
      <Text>{words.text}</Text>
      {!collide && <Text>{words.same}</Text>}
      <Facts
        facts={differences.map((name) => ({
          label: fields[name],
          value: (
            <>
              {words.theirs}: <bdi>{textOf(name, theirs[name])}</bdi>
              {name in change && (
                <>
                  <br />
                  {words.yours}: <bdi>{textOf(name, change[name] ?? null)}</bdi>
                </>
              )}
            </>
          ),
        }))}
      />
    </ConflictNotice>
  );
};
