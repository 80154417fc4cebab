import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ModSet } from '#contracts/mods/mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { SideDrawer } from '../../kit/design/side-drawer.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useLiveServers } from '../../servers/use-live-servers.ts';
import { ModSearch } from '../mod-parts/mod-search.tsx';
import { modsPageWords } from './mods-page.words.ts';

type Item = ModSet['items'][number];

/** Mods for a set: those that fit one of its servers. */
export const SetSearch = (props: {
  readonly game: GameId;
  readonly items: readonly Item[];
  readonly onChoose: (item: Item) => void;
  readonly onClose: () => void;
}) => {
  const { game, items, onChoose, onClose } = props;
  const words = useWords(modsPageWords);
  const can = useCan();
  const servers = (useLiveServers().data?.rows ?? []).filter(
    (server) => server.game === game && can('mods.read', server.id),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const serverId = chosen ?? servers[0]?.id;
  return (
    <SideDrawer size="xl" title={words.addItems} onClose={onClose}>
      {serverId === undefined ? (
        <Text>{words.noServerOfGame}</Text>
      ) : (
        <Stack>
          <NativeSelect
            label={words.fitsServer}
            description={words.fitsHelp}
            value={serverId}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            data={servers.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <ModSearch
            key={serverId}
            serverId={serverId}
            game={game}
            isChosen={({ source, id }) => items.some((one) => one.source === source && one.project === id)}
            act={() => words.put}
            onChoose={({ project, version }) => {
              const { source } = project;
              if (source === 'address' || source === 'upload') return;
              onChoose({
                source,
                project: project.id,
                name: project.name,
                version: version?.id ?? null,
                versionName: version?.name.slice(0, 100) ?? null,
              });
            }}
          />
        </Stack>
      )}
    </SideDrawer>
  );
};
