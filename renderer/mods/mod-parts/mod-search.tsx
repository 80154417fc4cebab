import { Button, Group, Loader, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ModProject } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import { useRead } from '../../kit/api/queries.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Ghost } from '../../kit/design/ghost.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { modPartsWords } from './mod-parts.words.ts';
import classes from './mod-rows.module.css';
import { modSearchWords } from './mod-search.words.ts';
import { ModTile } from './mod-tile.tsx';
import { type ChosenMod, ProjectView } from './project-view.tsx';
import { SourceNote, SourceTrouble } from './source-trouble.tsx';

/** The pause between searches of a source while the person types. */
const pauseMs = 350;
const longestText = 200;

type SearchedSource = (typeof games)[GameId]['modSources'][number];

/** Searches the sources for mods that fit a server, shows one, and selects a version of it. */
export const ModSearch = ({
  serverId,
  game,
  isChosen,
  act,
  onChoose,
}: {
  readonly serverId: string;
  readonly game: GameId;
  /** Selected already: by source and project. */
  readonly isChosen: (project: Pick<ModProject, 'source' | 'id'>) => boolean;
  /** The label of the button below a selected version. */
  readonly act: (project: ModProject) => string;
  readonly onChoose: (chosen: ChosenMod) => void;
}) => {
  const words = useWords(modSearchWords);
  const parts = useWords(modPartsWords);
  const sources: readonly SearchedSource[] = games[game].modSources;
  const [source, setSource] = useState<SearchedSource>(sources[0] ?? 'modrinth');
  const [text, setText] = useState('');
  const [sought] = useDebouncedValue(text.trim(), pauseMs);
  const [open, setOpen] = useState<ModProject | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const wasOpen = useRef(false);
  // The element that had the focus, in the view of one mod, is gone.
  useEffect(() => {
    if (open === null && wasOpen.current) box.current?.focus();
    wasOpen.current = open !== null;
  }, [open]);
  if (open)
    return (
      <ProjectView
        serverId={serverId}
        source={open.source}
        project={open.id}
        found={open}
        act={act(open)}
        present={null}
        onChoose={(chosen) => {
          onChoose(chosen);
          setOpen(null);
        }}
        onBack={() => setOpen(null)}
      />
    );
  return (
    <Stack gap="sm">
      {sources.length > 1 && (
        <SegmentedControl
          aria-label={words.source}
          value={source}
          onChange={(value) => setSource(value as SearchedSource)}
          data={sources.map((value) => ({ value, label: parts.sources[value] }))}
        />
      )}
      <TextInput
        ref={box}
        type="search"
        aria-label={words.searchLabel}
        placeholder={words.searchHint}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={text.trim() === sought ? null : <Loader size={16} aria-hidden />}
        maxLength={longestText}
        value={text}
        data-autofocus
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Results
        // Another search starts with its own first page.
        key={`${source} ${sought}`}
        serverId={serverId}
        source={source}
        text={sought}
        isChosen={isChosen}
        onOpen={setOpen}
      />
    </Stack>
  );
};

interface ResultsProps {
  readonly serverId: string;
  readonly isChosen: (project: Pick<ModProject, 'source' | 'id'>) => boolean;
  readonly source: SearchedSource;
  readonly text: string;
  readonly onOpen: (project: ModProject) => void;
}

const Results = (props: ResultsProps) => {
  const [offsets, setOffsets] = useState<readonly number[]>([0]);
  return (
    <div>
      {offsets.map((offset, index) => (
        <ResultPage
          key={offset}
          {...props}
          offset={offset}
          onMore={index === offsets.length - 1 ? (next: number) => setOffsets([...offsets, next]) : undefined}
        />
      ))}
    </div>
  );
};

const lastOffset = 9950;

const ResultPage = ({
  serverId,
  source,
  text,
  offset,
  isChosen,
  onOpen,
  onMore,
}: ResultsProps & {
  readonly offset: number;
  readonly onMore: ((next: number) => void) | undefined;
}) => {
  const words = useWords(modSearchWords);
  const read = useRead(modsHttp.search, { params: { serverId }, query: { text, source, offset } });
  // A passing error is retried again and again, but is shown all the same.
  const error = read.error ?? (read.data ? null : read.failureReason);
  if (error) return <SourceTrouble error={error} isRetried={!read.error} onRetry={() => read.refetch()} />;
  if (!read.data)
    return (
      <Stack gap="sm" mt="sm" role="status" aria-label={words.searching}>
        {[0, 1, 2, 3].map((row) => (
          <Ghost key={row} height={68} />
        ))}
      </Stack>
    );
  const { rows, total, sources } = read.data;
  const state = sources.find((one) => one.source === source);
  const next = offset + rows.length;
  return (
    <>
      {offset === 0 && (
        <>
          {state && state.state !== 'ok' && <SourceNote state={state} />}
          <Text size="sm" c="dimmed" role="status">
            {total > 0 && words.found(total)}
          </Text>
          {total === 0 && (!state || state.state === 'ok') && (
            <EmptyState title={words.noneFound} text={words.noneFoundText} />
          )}
        </>
      )}
      <ul className={classes.list}>
        {rows.map((project) => (
          <Found
            key={project.id}
            project={project}
            isInstalled={project.isInstalled}
            isChosen={isChosen(project)}
            onOpen={() => onOpen(project)}
          />
        ))}
      </ul>
      {onMore && rows.length > 0 && next < total && next <= lastOffset && (
        <Group justify="center" my="sm">
          <Button variant="default" onClick={() => onMore(next)}>
            {words.more}
          </Button>
        </Group>
      )}
    </>
  );
};

const Found = (props: {
  readonly project: ModProject;
  readonly isInstalled: boolean;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}) => {
  const { project, isInstalled, isChosen, onOpen } = props;
  const words = useWords(modSearchWords);
  const { name, summary, author, license, downloads, side } = project;
  return (
    <li className={classes.row}>
      <ModTile name={name} />
      <div className={classes.what}>
        <Group gap="xs">
          <Text fw={600}>
            <bdi>{name}</bdi>
          </Text>
          {isInstalled && <StateLabel tone="ok">{words.installed}</StateLabel>}
          {isChosen && <StateLabel tone="ok">{words.isChosen}</StateLabel>}
        </Group>
        <Text size="sm" lineClamp={2}>
          <bdi>{summary}</bdi>
        </Text>
        <div className={classes.quiet}>
          {author !== null && <bdi>{author}</bdi>}
          {license !== null && <bdi>{license}</bdi>}
          {downloads !== null && <span>{words.downloadCount(downloads)}</span>}
          {side !== null && side !== 'client' && <span>{words.sides[side]}</span>}
        </div>
        {side === 'client' && (
          <Text size="sm" component="div">
            <StateLabel tone="warn">{words.clientOnly}</StateLabel>
          </Text>
        )}
      </div>
      <div className={classes.acts}>
        <Button size="xs" variant="default" aria-label={words.chooseIt(name)} onClick={onOpen}>
          {words.choose} …
        </Button>
      </div>
    </li>
  );
};
