import { Button, Divider, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { LicenseFault } from '#contracts/license-state.ts';
import { askAccess, type LicenseRefusal } from '../../access/access-state.ts';
import { AuthLayout } from '../../access/auth-layout.tsx';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { problemTexts } from '../../language/problem-texts.ts';
import { useLanguage, useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { TroubleHelp } from '../diagnostics/trouble-help.tsx';
import { HwidLine } from '../hwid-line.tsx';
import { TransferFlow } from '../transfer/transfer-flow.tsx';
import { useDesktopAction } from '../use-desktop-action.ts';
import { useLicenseStatus } from '../use-license-status.ts';
import { wizardWords } from '../wizard.words.ts';
import { KeyForm } from './key-form.tsx';
import { ProxyForm } from './proxy-form.tsx';

/** Here a key helps nothing: the license is bound to another machine. */
const asksForTransfer = (code: LicenseFault | null): boolean => code === 'HWID_MISMATCH';

/** While the license does not hold: leads to one that does, by its key or from another machine. */
export const LicenseWizard = ({ license }: { readonly license: LicenseRefusal }) => {
  const words = useWords(wizardWords);
  const language = useLanguage();
  const known = useLicenseStatus();
  const check = useDesktopAction();
  const { state, code, detail, hwid } = known?.code ? { ...known, code: known.code } : license;
  const [way, setWay] = useState<'key' | 'transfer' | null>(null);
  const [isUnreachable, setIsUnreachable] = useState(false);
  const isTransfer = way === null ? asksForTransfer(code) : way === 'transfer';
  const isNew = state === 'unlicensed';
  const { meaning, remedy } = problemTexts(code, language);

  // The API sees a new license.json by itself, and lets everybody in.
  const holds = known?.state === 'valid' || known?.state === 'grace';
  useEffect(() => {
    if (holds) void askAccess();
  }, [holds]);
  // A page that was loaded anew goes on where it was.
  useEffect(() => {
    callDesktop('transfer.standing', undefined).then(
      ({ email }) => email !== null && setWay((chosen) => chosen ?? 'transfer'),
      () => undefined,
    );
  }, []);

  return (
    <AuthLayout title={isNew ? words.title : words.rejected}>
      <Stack gap="md">
        {!isNew && (
          <Stack component="section" gap="xs" align="flex-start">
            <Title order={2}>{words.state}</Title>
            <Text>{meaning}</Text>
            <Text>{asksForTransfer(code) ? words.bringHelps : remedy}</Text>
            {language === 'en' && !detail.startsWith(meaning) && <Text c="dimmed">{detail}</Text>}
            {code === 'LICENSE_GRACE_ENDED' && <Text>{words.grace}</Text>}
            <Button
              variant="default"
              loading={check.isActing}
              onClick={() => check.run(() => callDesktop('license.check', undefined).then(askAccess))}
            >
              {words.checkNow}
            </Button>
            {check.error !== null && <ActionFailed error={check.error} />}
          </Stack>
        )}
        {isTransfer ? (
          <TransferFlow onActivated={askAccess} hwid={hwid ?? null} />
        ) : (
          <KeyForm
            onActivated={askAccess}
            onFailure={(failure) => setIsUnreachable(failure.outcome === 'unreachable')}
          />
        )}
        <Button variant="subtle" onClick={() => setWay(isTransfer ? 'key' : 'transfer')}>
          {isTransfer ? words.toKey : words.toTransfer}
        </Button>
        <Divider />
        <Stack component="section" gap="xs">
          <Title order={2}>{words.hwid}</Title>
          {hwid ? <HwidLine hwid={hwid} /> : <Text>{words.noHwid}</Text>}
        </Stack>
        <ProxyForm isNeeded={isUnreachable} />
        <Text c="dimmed" role="status">
          {words.waiting}
        </Text>
        <TroubleHelp component="supervisor" isNeeded={false} />
      </Stack>
    </AuthLayout>
  );
};
