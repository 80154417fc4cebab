import { Alert, Button, Group, Radio, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ModProject, ModVersion } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { useRead } from '../../kit/api/queries.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { Ghost } from '../../kit/design/ghost.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { Changelog } from './changelog.tsx';
import { modPartsWords } from './mod-parts.words.ts';
import classes from './mod-rows.module.css';
import { modSearchWords } from './mod-search.words.ts';
import { ModTile } from './mod-tile.tsx';
import { OutsideLink } from './outside-link.tsx';
import { SourceTrouble } from './source-trouble.tsx';

export interface ChosenMod {
  readonly project: ModProject;
  /** Null: the newest that fits. */
  readonly version: ModVersion | null;
}

const newest = '';

/** A mod at its source, with its versions that fit the server. */
export const ProjectView = (props: {
  readonly serverId: string;
  readonly source: ModProject['source'];
  readonly project: string;
  /** The mod as the search found it; null: it comes with its versions. */
  readonly found: ModProject | null;
  /** "Choose", "Update". */
  readonly act: string;
  readonly onChoose: (chosen: ChosenMod) => void;
  /** The version on the server; null: it has none. */
  readonly present: string | null;
  /** Null: there is no list to go back to. */
  readonly onBack: (() => void) | null;
}) => {
  const { serverId, source, project: id, found, act, present, onChoose, onBack } = props;
  const words = useWords(modSearchWords);
  const parts = useWords(modPartsWords);
  const [chosen, setChosen] = useState(newest);
  const read = useRead(modsHttp.versions, { params: { serverId, source, project: id } });
  const heading = useRef<HTMLHeadingElement>(null);
  // The element that had the focus, in the list of results, is gone.
  useEffect(() => heading.current?.focus(), []);
  const project = read.data?.project ?? found;
  const versions = read.data?.versions ?? null;
  const error = read.error ?? (read.data ? null : read.failureReason);
  const isClientOnly = project?.side === 'client';
  return (
    <Stack gap="md">
      {onBack && (
        <Group>
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            onClick={onBack}
          >
            {words.back}
          </Button>
        </Group>
      )}
      <Group wrap="nowrap" align="flex-start">
        <ModTile name={project?.name ?? ''} />
        <div>
          <Title order={3} ref={heading} tabIndex={-1}>
            <bdi>{project?.name ?? '…'}</bdi>
          </Title>
          {project && (
            <Text size="sm">
              <bdi>{project.summary}</bdi>
            </Text>
          )}
          {project?.page && (
            <OutsideLink href={project.page} size="sm">
              {words.pageOf(project.name, parts.sources[project.source])}
            </OutsideLink>
          )}
        </div>
      </Group>
      {project && <ProjectFacts project={project} />}
      {isClientOnly && (
        <Alert color="var(--tone-warn)" variant="outline" title={words.clientOnly}>
          {words.clientOnlyText}
        </Alert>
      )}
      {error && <SourceTrouble error={error} isRetried={!read.error} onRetry={() => read.refetch()} />}
      {!isClientOnly && !error && !versions && <Ghost height={200} />}
      {!isClientOnly && versions?.length === 0 && (
        <EmptyState title={words.noVersions} text={words.noVersionsText} />
      )}
      {!isClientOnly && project && versions && versions.length > 0 && (
        <>
          <Radio.Group label={words.versions} value={chosen} onChange={setChosen}>
            <ul className={classes.list}>
              <li className={classes.row}>
                <Radio
                  value={newest}
                  label={words.newest}
                  description={words.newestHint(versions[0]?.name ?? '')}
                />
              </li>
              {versions.map((version) => (
                <VersionRow key={version.id} version={version} isPresent={version.id === present} />
              ))}
            </ul>
          </Radio.Group>
          <Group
            justify="flex-end"
            pos="sticky"
            bottom={0}
            py="sm"
            style={{ background: 'var(--mantine-color-body)' }}
          >
            <Button
              onClick={() =>
                onChoose({ project, version: versions.find((version) => version.id === chosen) ?? null })
              }
            >
              {act}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
};

const ProjectFacts = ({ project }: { readonly project: ModProject }) => {
  const words = useWords(modSearchWords);
  const parts = useWords(modPartsWords);
  const format = useFormat();
  const { author, license, downloads, updatedAt, side } = project;
  return (
    <Facts
      facts={[
        { label: words.author, value: <bdi>{author ?? words.notGiven}</bdi> },
        { label: words.license, value: <bdi>{license ?? words.notGiven}</bdi> },
        { label: words.downloads, value: downloads === null ? words.notGiven : format.number(downloads) },
        { label: words.side, value: side === null ? words.notGiven : words.sides[side] },
        { label: parts.updatedAt, value: updatedAt === null ? words.notGiven : <TimeAgo at={updatedAt} /> },
      ]}
    />
  );
};

const VersionRow = ({
  version,
  isPresent,
}: {
  readonly version: ModVersion;
  readonly isPresent: boolean;
}) => {
  const words = useWords(modSearchWords);
  const format = useFormat();
  const { id, name, channel, publishedAt, bytes, changelog, isByHand } = version;
  const facts = [
    words.channels[channel],
    format.date(publishedAt),
    ...(bytes === null ? [] : [format.bytes(bytes)]),
    ...(isByHand ? [words.byHand] : []),
    ...(isPresent ? [words.isThere] : []),
  ];
  return (
    <li className={classes.row}>
      <div className={classes.version}>
        <Radio value={id} label={<bdi>{name}</bdi>} description={facts.join(' · ')} />
        {changelog && <Changelog text={changelog} />}
      </div>
    </li>
  );
};
