import { Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import type { ChangeWish, ModProject } from '#contracts/mods/mods.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { SideDrawer } from '../../kit/design/side-drawer.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { ModSearch } from '../mod-parts/mod-search.tsx';
import { type ChosenMod, ProjectView } from '../mod-parts/project-view.tsx';
import type { Installed } from './installed-list.tsx';
import { modsWords } from './mods.words.ts';

const wishOf = ({ project, version }: ChosenMod): ChangeWish | null =>
  project.source === 'modrinth' || project.source === 'curseforge' || project.source === 'steam'
    ? { do: 'install', source: project.source, project: project.id, version: version?.id ?? null }
    : null;

const isSame = (a: Pick<ModProject, 'source' | 'id'>, b: Pick<ModProject, 'source' | 'id'>): boolean =>
  a.source === b.source && a.id === b.id;

/** Searches for mods and selects some; the plan shows the effects. */
export const SearchDrawer = (props: {
  readonly server: GameServer;
  readonly chosen: readonly ChosenMod[];
  readonly onChange: (chosen: readonly ChosenMod[]) => void;
  readonly onPlan: (wishes: readonly ChangeWish[]) => void;
  readonly onUpload: () => void;
  readonly onAddress: () => void;
  readonly onClose: () => void;
}) => {
  const { server, chosen, onChange, onPlan, onUpload, onAddress, onClose } = props;
  const words = useWords(modsWords);
  const isChosen = (project: Pick<ModProject, 'source' | 'id'>) =>
    chosen.some((one) => isSame(one.project, project));
  return (
    <SideDrawer size="xl" title={words.search} onClose={onClose}>
      {games[server.game].modSources.length === 0 ? (
        <EmptyState
          title={words.noSource}
          text={words.noSourceText}
          action={
            <Group>
              <Button onClick={onUpload}>{words.upload} …</Button>
              <Button variant="default" onClick={onAddress}>
                {words.fromAddress} …
              </Button>
            </Group>
          }
        />
      ) : (
        <ModSearch
          serverId={server.id}
          game={server.game}
          isChosen={isChosen}
          act={() => words.install}
          onChoose={(one) =>
            onChange([...chosen.filter(({ project }) => !isSame(project, one.project)), one])
          }
        />
      )}
      {chosen.length > 0 && (
        <Stack
          gap="xs"
          py="sm"
          pos="sticky"
          bottom={0}
          style={{ background: 'var(--mantine-color-body)', borderTop: '1px solid var(--line)' }}
        >
          <Text size="sm" role="status">
            {words.chosen(chosen.length)}
          </Text>
          {chosen.map(({ project, version }) => (
            <Group key={`${project.source} ${project.id}`} justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm">
                <bdi>
                  {project.name} {version?.name ?? ''}
                </bdi>
              </Text>
              <CloseButton
                size="sm"
                aria-label={words.takeOut(project.name)}
                onClick={() => onChange(chosen.filter((one) => !isSame(one.project, project)))}
              />
            </Group>
          ))}
          <Group justify="flex-end">
            <Button
              onClick={() =>
                onPlan(
                  chosen.flatMap((one) => {
                    const wish = wishOf(one);
                    return wish ? [wish] : [];
                  }),
                )
              }
            >
              {words.plan(chosen.length)}
            </Button>
          </Group>
        </Stack>
      )}
    </SideDrawer>
  );
};

/** Selects another version of an installed mod. */
export const VersionDrawer = (props: {
  readonly server: GameServer;
  readonly mod: Installed;
  readonly onPlan: (wishes: readonly ChangeWish[]) => void;
  readonly onClose: () => void;
}) => {
  const { server, mod, onPlan, onClose } = props;
  const words = useWords(modsWords);
  if (mod.project === null) return null;
  return (
    <SideDrawer size="xl" title={words.otherVersion} onClose={onClose}>
      <ProjectView
        serverId={server.id}
        source={mod.source}
        project={mod.project.id}
        found={mod.project}
        act={words.changeVersion}
        present={mod.version}
        onChoose={({ version }) => onPlan([{ do: 'update', key: mod.key, version: version?.id ?? null }])}
        onBack={null}
      />
    </SideDrawer>
  );
};
