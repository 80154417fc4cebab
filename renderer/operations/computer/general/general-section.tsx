import { Stack, Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DesktopInput, DesktopOutput } from '#contracts/desktop/desktop.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Card } from '../../../kit/design/card.tsx';
import { Loading } from '../../../kit/design/loading.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { generalWords } from './general.words.ts';

type Settings = DesktopOutput<'settings.read'>;

/** How the desktop program itself starts and closes. */
export const Section = () => {
  const words = useWords(generalWords);
  const { error, run } = useDesktopAction();
  const [settings, setSettings] = useState<Settings | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the section appears
  useEffect(() => {
    void run(async () => setSettings(await callDesktop('settings.read', undefined)));
  }, []);
  const change = (wanted: DesktopInput<'settings.change'>) =>
    void run(async () => setSettings(await callDesktop('settings.change', wanted)));

  return (
    <Card title={words.title}>
      {error !== null && <ActionFailed error={error} />}
      {settings === null ? (
        error === null && <Loading />
      ) : (
        <Stack gap="md">
          <Switch
            label={words.autostart}
            description={words.autostartText}
            checked={settings.autostart}
            onChange={({ currentTarget }) => change({ autostart: currentTarget.checked })}
          />
          <Switch
            label={words.closeToTray}
            description={words.closeToTrayText}
            checked={settings.closeToTray}
            onChange={({ currentTarget }) => change({ closeToTray: currentTarget.checked })}
          />
          <Switch
            label={words.notices}
            description={words.noticesText}
            checked={settings.notices}
            onChange={({ currentTarget }) => change({ notices: currentTarget.checked })}
          />
        </Stack>
      )}
    </Card>
  );
};
