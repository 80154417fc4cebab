import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { LicenseProxy } from '#contracts/desktop/desktop-license.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import classes from '../desktop-actions/wizard.module.css';
import { wizardWords } from '../desktop-actions/wizard.words.ts';

/** The proxy to the portal, if there is no direct connection. Expanded if the portal could not be reached. */
export const ProxyForm = ({ isNeeded }: { readonly isNeeded: boolean }) => {
  const words = useWords(wizardWords);
  const act = useDesktopAction();
  const [kept, setKept] = useState<LicenseProxy | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [isSaved, setIsSaved] = useState(false);
  useEffect(() => {
    callDesktop('license.proxy', undefined).then(setKept, () => undefined);
  }, []);
  const isOpen = isNeeded || (kept !== null && kept.url !== null);

  const save = () =>
    act.run(async () => {
      setIsSaved(false);
      setKept(await callDesktop('license.changeProxy', { url: typed ?? '' }));
      setTyped(null);
      setIsSaved(true);
    });

  return (
    <details className={classes.folded} open={isOpen || undefined}>
      <summary>{words.proxy}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack gap="xs">
          <TextInput
            label={words.proxyLabel}
            description={words.proxyHelp}
            value={typed ?? kept?.url ?? ''}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
          />
          {kept?.hasPassword && <Text size="sm">{words.proxyKept}</Text>}
          {act.error !== null && <ActionFailed error={act.error} />}
          <div role="status">{isSaved && words.proxySaved}</div>
          <Button type="submit" variant="default" loading={act.isActing} disabled={typed === null}>
            {words.proxySave}
          </Button>
        </Stack>
      </form>
    </details>
  );
};
