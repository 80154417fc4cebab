import { ActionIcon, Button, Menu, Stack, Text, TextInput } from '@mantine/core';
import { IconDots, IconPinFilled } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { ServerMods } from '#contracts/mods/mods.ts';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { ReasonedButton } from '../../kit/design/reasoned-button.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { NothingMatches } from '../../kit/lists/filter-box.tsx';
import { modPartsWords } from '../mod-parts/mod-parts.words.ts';
import classes from '../mod-parts/mod-rows.module.css';
import { ModTile } from '../mod-parts/mod-tile.tsx';
import { modsWords } from './mods.words.ts';
import { useModsReason } from './mods-obstacle.tsx';

export type Installed = NonNullable<ServerMods['list']>['installed'][number];

interface InstalledActs {
  readonly onUpdate: (mod: Installed) => void;
  readonly onOtherVersion: (mod: Installed) => void;
  readonly onPin: (mod: Installed) => void;
  readonly onUnpin: (mod: Installed) => void;
  readonly onRemove: (mod: Installed) => void;
}

/** The number that fits on a screen; more get a filter. */
const fewMods = 8;

/** The mods that Castellan manages. */
export const InstalledList = (props: {
  readonly mods: ServerMods;
  readonly installed: readonly Installed[];
  readonly mayAct: boolean;
  readonly acts: InstalledActs;
  readonly onSearch: () => void;
}) => {
  const { mods, installed, mayAct, acts, onSearch } = props;
  const words = useWords(modsWords);
  const { compare } = useFormat();
  const reason = useModsReason(mods);
  const [filter, setFilter] = useState('');
  const searchInput = useRef<HTMLInputElement>(null);
  const sought = filter.trim().toLocaleLowerCase();
  const shown = installed
    .filter(({ name }) => name.toLocaleLowerCase().includes(sought))
    .sort((a, b) => compare(a.name, b.name));
  return (
    <Card title={words.installed}>
      {installed.length === 0 ? (
        <EmptyState
          title={words.empty}
          text={mayAct ? words.emptyText : words.emptyMayNot}
          example="items"
          action={
            mayAct && (
              <ReasonedButton variant="default" reason={reason} onClick={onSearch}>
                {words.add}
              </ReasonedButton>
            )
          }
        />
      ) : (
        <>
          {installed.length > fewMods && (
            <TextInput
              ref={searchInput}
              type="search"
              aria-label={words.filter}
              placeholder={words.filter}
              maw="20rem"
              value={filter}
              onChange={({ currentTarget }) => setFilter(currentTarget.value)}
            />
          )}
          <ul className={classes.list} aria-label={words.installed}>
            {shown.map((mod) => (
              <Row key={mod.key} mod={mod} mayAct={mayAct} reason={reason} acts={acts} />
            ))}
          </ul>
          {shown.length === 0 && (
            <NothingMatches
              onClear={() => {
                setFilter('');
                // The button disappears with the search.
                searchInput.current?.focus();
              }}
            />
          )}
        </>
      )}
    </Card>
  );
};

interface RowProps {
  readonly mod: Installed;
  readonly mayAct: boolean;
  readonly reason: string | null;
  readonly acts: InstalledActs;
}

const Row = ({ mod, mayAct, reason, acts }: RowProps) => {
  const words = useWords(modsWords);
  const parts = useWords(modPartsWords);
  const { name, versionName, version, source, since, byName, pin, update, changedFiles, fileCount } = mod;
  return (
    <li className={classes.row}>
      <ModTile name={name} />
      <Stack gap={2} className={classes.what}>
        <Text component="div">
          <Text span fw={600}>
            <bdi>{name}</bdi>
          </Text>{' '}
          <bdi>{versionName ?? version ?? ''}</bdi>
        </Text>
        <div className={classes.quiet}>
          <span>{parts.sources[source]}</span>
          <span>
            {words.since} <TimeAgo at={since} />
          </span>
          <bdi>{words.byName(byName)}</bdi>
          {fileCount > 1 && <span>{words.files(fileCount)}</span>}
        </div>
        {pin && (
          <Text size="sm" component="div">
            <IconPinFilled size={14} aria-hidden style={{ verticalAlign: '-0.15em' }} />{' '}
            <bdi>{words.pinned(pin.byName)}</bdi> <bdi>{pin.reason}</bdi>
          </Text>
        )}
        {pin && pin.until !== null && (
          <Text size="sm" c="dimmed">
            <bdi>{words.until(pin.until)}</bdi>
          </Text>
        )}
        {update && pin && (
          <Text size="sm" c="dimmed">
            {words.heldBack(update.name)}
          </Text>
        )}
        {update?.isByHand && !pin && (
          <Text size="sm" c="dimmed">
            {words.updateByHand}
          </Text>
        )}
        {changedFiles.length > 0 && (
          <details>
            <summary className={classes.summary}>
              <StateLabel tone="warn">{words.changedFiles(changedFiles.length)}</StateLabel>
            </summary>
            <Text size="sm">{words.changedNote}</Text>
            {changedFiles.map((path) => (
              <Text key={path} size="sm" ff="monospace">
                <bdi>{path}</bdi>
              </Text>
            ))}
          </details>
        )}
      </Stack>
      <div className={classes.acts}>
        {mayAct && update && !pin && (
          <ReasonedButton
            size="xs"
            variant="default"
            reason={reason}
            label={`${words.updateOf(name)}: ${words.updateTo(update.name)}`}
            onClick={() => acts.onUpdate(mod)}
          >
            {words.updateTo(update.name)} …
          </ReasonedButton>
        )}
        <RowMenu mod={mod} mayAct={mayAct} reason={reason} acts={acts} />
      </div>
    </li>
  );
};

const RowMenu = ({ mod, mayAct, reason, acts }: RowProps) => {
  const words = useWords(modsWords);
  const { name, pin, project } = mod;
  const page = project?.page ?? null;
  const hasVersions = mod.project !== null && mod.source !== 'address' && mod.source !== 'upload';
  if (!mayAct && page === null) return null;
  const isIdle = reason !== null;
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.actsOf(name)}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {page !== null && (
          <Menu.Item component="a" href={page} target="_blank" rel="noreferrer">
            {words.atSource}
          </Menu.Item>
        )}
        {mayAct && hasVersions && (
          <Menu.Item disabled={isIdle} onClick={() => acts.onOtherVersion(mod)}>
            {words.otherVersion} …
          </Menu.Item>
        )}
        {mayAct && (
          <>
            <Menu.Item onClick={() => acts.onPin(mod)}>{pin ? words.changePin : words.pin} …</Menu.Item>
            {pin && <Menu.Item onClick={() => acts.onUnpin(mod)}>{words.unpin}</Menu.Item>}
            <Menu.Divider />
            <Menu.Item color="var(--tone-bad)" disabled={isIdle} onClick={() => acts.onRemove(mod)}>
              {words.remove} …
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};

/** Files in the mod folders, or entries in the game's list, that Castellan does not manage. */
export const FoundList = (props: {
  readonly mods: ServerMods;
  readonly list: NonNullable<ServerMods['list']>;
  readonly mayAct: boolean;
  readonly onAdopt: (path: string) => void;
}) => {
  const { mods, list, mayAct, onAdopt } = props;
  const words = useWords(modsWords);
  const format = useFormat();
  const reason = useModsReason(mods);
  const [limit, setLimit] = useState(20);
  const { found, foundCount, foundIds } = list;
  if (foundCount === 0 && foundIds.length === 0) return null;
  const shown = found.slice(0, limit);
  return (
    <Card title={words.found}>
      <Text size="sm" c="dimmed">
        {words.foundText}
      </Text>
      <ul className={classes.list} aria-label={words.found}>
        {shown.map(({ path, bytes, known, metadata }) => (
          <li key={path} className={classes.row}>
            <Stack gap={2} className={classes.what}>
              <Text ff="monospace" size="sm">
                <bdi>{path}</bdi>
              </Text>
              <div className={classes.quiet}>
                {(known || metadata) && (
                  <bdi>
                    {known
                      ? words.known(known.project.name, known.versionName)
                      : [metadata?.name ?? metadata?.id, metadata?.version].filter(Boolean).join(' ')}
                  </bdi>
                )}
                {!known && <span>{words.unknownFile}</span>}
                <span>{format.bytes(bytes)}</span>
              </div>
            </Stack>
            {mayAct && known && (
              <div className={classes.acts}>
                <ReasonedButton
                  size="xs"
                  variant="default"
                  reason={reason}
                  label={words.adoptOf(path)}
                  onClick={() => onAdopt(path)}
                >
                  {words.adopt} …
                </ReasonedButton>
              </div>
            )}
          </li>
        ))}
      </ul>
      {found.length > limit && (
        <div>
          <Button size="xs" variant="default" onClick={() => setLimit(found.length)}>
            {words.showMore}
          </Button>
        </div>
      )}
      {found.length <= limit && foundCount > found.length && (
        <Text size="sm">{words.foundMore(foundCount - found.length)}</Text>
      )}
      {foundIds.length > 0 && (
        <Text size="sm">
          {words.foundIds} <bdi>{foundIds.join(', ')}</bdi>
        </Text>
      )}
    </Card>
  );
};
