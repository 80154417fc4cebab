import { ActionIcon, Group, Menu, TextInput, Tooltip } from '@mantine/core';
import {
  IconCheck,
  IconClearAll,
  IconCopy,
  IconDots,
  IconDownload,
  IconHistory,
  IconPlayerPause,
  IconPlayerPlay,
  IconSearch,
} from '@tabler/icons-react';
import { designWords } from '../../kit/design/design.words.ts';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { saveFile } from '../../kit/design/save-file.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { consoleWords } from './console.words.ts';
import { setConsolePreferences, useConsolePreferences } from './console-preferences.ts';
import { feedAsText } from './feed-text.ts';
import type { ShownFeed } from './use-shown-feed.ts';

export const ConsoleToolbar = (props: {
  readonly feed: ShownFeed;
  /** The name of the downloaded file, without its extension. */
  readonly fileName: string;
  readonly onEarlier: () => void;
}) => {
  const { feed, fileName, onEarlier } = props;
  const words = useWords(consoleWords);
  const general = useWords(designWords);
  const { wraps, showsTimes } = useConsolePreferences();
  const PauseIcon = feed.isPaused ? IconPlayerPlay : IconPlayerPause;
  const pauseLabel = feed.isPaused ? words.resume : words.pause;
  const checkIcon = <IconCheck size={16} aria-hidden />;
  const copy = () =>
    navigator.clipboard
      .writeText(feedAsText(feed.items))
      .then(() => notifyDone(general.copied))
      .catch(() => notifyTrouble(new Error(general.cannotCopy)));
  return (
    <Group gap="xs" wrap="nowrap">
      <TextInput
        flex={1}
        miw={0}
        aria-label={words.filter}
        placeholder={words.filterPlaceholder}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={feed.filter}
        onChange={({ currentTarget }) => feed.setFilter(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') feed.setFilter('');
        }}
      />
      <Tooltip label={pauseLabel}>
        <ActionIcon
          variant="default"
          size="input-sm"
          aria-label={pauseLabel}
          onClick={() => feed.setPaused(!feed.isPaused)}
        >
          <PauseIcon size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.earlier.open}>
        <ActionIcon variant="default" size="input-sm" aria-label={words.earlier.open} onClick={onEarlier}>
          <IconHistory size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.clear}>
        <ActionIcon variant="default" size="input-sm" aria-label={words.clear} onClick={feed.clear}>
          <IconClearAll size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="default" size="input-sm" aria-label={words.more}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.CheckboxItem
            checked={wraps}
            closeMenuOnClick
            checkIcon={checkIcon}
            onChange={() => setConsolePreferences({ wraps: !wraps })}
          >
            {words.wrap}
          </Menu.CheckboxItem>
          <Menu.CheckboxItem
            checked={showsTimes}
            closeMenuOnClick
            checkIcon={checkIcon}
            onChange={() => setConsolePreferences({ showsTimes: !showsTimes })}
          >
            {words.times}
          </Menu.CheckboxItem>
          <Menu.Divider />
          <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
            {words.copyShown}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveFile(`${feedAsText(feed.items)}\n`, `${fileName}.txt`, 'text/plain')}
          >
            {words.download}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
};
