import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Cluster } from '#contracts/clusters.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { Facts } from '../../../design/facts.tsx';
import { useWords } from '../../../language/use-words.ts';
import { portOf, type ServerDraft } from '../server-draft.ts';
import { settingsWords } from './settings.words.ts';

export interface ConflictProps {
  readonly theirs: GameServer;
  readonly yours: ServerDraft;
  readonly clusters: readonly Cluster[];
  readonly isSaving: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

/** What somebody else has made of the server, beside what is typed here. */
export const Conflict = ({ theirs, yours, clusters, isSaving, onKeepMine, onTakeTheirs }: ConflictProps) => {
  const { conflict: words, fields } = useWords(settingsWords);
  const clusterName = (id: string) => clusters.find((cluster) => cluster.id === id)?.name ?? id;
  const hostOf = (host: string | null) => host ?? fields.none;
  const differences = [
    { label: fields.name, now: theirs.name, mine: yours.name },
    { label: fields.cluster, now: clusterName(theirs.clusterId), mine: clusterName(yours.clusterId) },
    {
      label: fields.host,
      now: hostOf(theirs.host),
      mine: hostOf(yours.reach === 'direct' ? yours.host : null),
    },
    { label: fields.port, now: String(theirs.port), mine: String(portOf(yours)) },
  ].filter(({ now, mine }) => now !== mine);
  return (
    <Alert color="var(--tone-warn)" variant="outline" role="alert" title={words.title}>
      <Stack gap="xs">
        <Text>{words.text}</Text>
        {differences.length === 0 && <Text>{words.same}</Text>}
        <Facts
          facts={differences.map(({ label, now, mine }) => ({
            label,
            value: (
              <>
                {words.theirs}: <bdi>{now}</bdi>
                <br />
                {words.yours}: <bdi>{mine}</bdi>
              </>
            ),
          }))}
        />
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onTakeTheirs}>
            {words.takeTheirs}
          </Button>
          <Button size="xs" variant="default" loading={isSaving} onClick={onKeepMine}>
            {words.keepMine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};
