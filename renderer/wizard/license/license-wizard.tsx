import { Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { askAccess, type LicenseRefusal } from '../../access/access-state.ts';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { problemTexts } from '../../language/problem-texts.ts';
import { useLanguage, useWords } from '../../language/use-words.ts';
import type { LicenseTrouble, Remedy } from '../../license/remedy.ts';
import { TroubleHelp } from '../diagnostics/trouble-help.tsx';
import { WizardFrame } from '../frame/wizard-frame.tsx';
import { HwidLine } from '../hwid-line.tsx';
import { TransferFlow } from '../transfer/transfer-flow.tsx';
import { useIsOwnerLeft } from '../use-is-owner-left.ts';
import { useLicenseStatus } from '../use-license-status.ts';
import { wizardWords } from '../wizard.words.ts';
import { ContactView } from './contact-view.tsx';
import { KeyForm } from './key-form.tsx';
import { LicenseVerdict } from './license-verdict.tsx';
import { ProxyForm } from './proxy-form.tsx';

type View = 'verdict' | 'key' | 'transfer' | 'find-license' | 'contact';

/** While the license is invalid: says why, and offers the one button that leads to a valid license. */
export const LicenseWizard = ({ license }: { readonly license: LicenseRefusal }) => {
  const words = useWords(wizardWords);
  const language = useLanguage();
  const isOwnerLeft = useIsOwnerLeft();
  const known = useLicenseStatus();
  const { code, detail, hwid } = known?.code ? { ...known, code: known.code } : license;
  const isNew = code === 'LICENSE_REQUIRED';
  const [chosen, setView] = useState<View | null>(null);
  const view = chosen ?? (isNew ? 'key' : 'verdict');
  /** Why an activation failed, while the contact for it is shown. */
  const [failed, setFailed] = useState<LicenseTrouble | null>(null);
  /** Kept here, so that the typed key is still there after a look at another view. */
  const [key, setKey] = useState('');
  const [email, setEmail] = useState('');
  const [isUnreachable, setIsUnreachable] = useState(false);

  // The API notices a new license.json by itself, and then lets everyone in.
  const holds = known?.state === 'valid' || known?.state === 'grace';
  useEffect(() => {
    if (holds) void askAccess();
  }, [holds]);
  // A page that was reloaded continues where it was.
  useEffect(() => {
    callDesktop('transfer.standing', undefined).then(
      (standing) => {
        if (standing.email === null) return;
        setEmail(standing.email);
        setView((present) => present ?? 'transfer');
      },
      () => undefined,
    );
  }, []);

  /** The remedies that lead to another view; the others are carried out where they are offered. */
  const follow = (remedy: Remedy, trouble: LicenseTrouble) => {
    setFailed(trouble);
    if (remedy === 'transfer' || remedy === 'find-license') setView(remedy);
    else if (remedy === 'contact') setView('contact');
    else setView('key');
  };
  const back = () => setView(null);
  const isTransfer = view === 'transfer' || view === 'find-license';
  const title = isNew ? words.title : problemTexts(code, language).title;

  return (
    <WizardFrame title={title} step={isOwnerLeft ? 'license' : undefined}>
      {view === 'verdict' && (
        <LicenseVerdict
          trouble={code}
          detail={detail}
          status={known}
          onFollow={(remedy) => follow(remedy, code)}
          onKey={() => setView('key')}
          onTransfer={() => setView('transfer')}
        />
      )}
      {view === 'key' && (
        <KeyForm
          typed={key}
          onTyped={setKey}
          onActivated={askAccess}
          onFailure={(failure) => setIsUnreachable(failure?.outcome === 'unreachable')}
          onFollow={follow}
          onTransfer={() => setView('transfer')}
          onBack={isNew ? null : back}
        />
      )}
      {isTransfer && (
        <TransferFlow
          email={email}
          onEmail={setEmail}
          isSearch={view === 'find-license'}
          onActivated={askAccess}
          hwid={hwid ?? null}
          onBack={back}
        />
      )}
      {view === 'contact' && (
        <ContactView trouble={failed ?? code} detail={detail} status={known} onBack={back} />
      )}
      <Stack gap="xs" pb="lg">
        <Text size="sm" c="dimmed" component="div">
          {words.hwid}: {hwid ? <HwidLine hwid={hwid} /> : words.noHwid}
        </Text>
        <ProxyForm isNeeded={isUnreachable} />
        <TroubleHelp component="supervisor" isNeeded={false} />
        {!isNew && (
          <Text size="sm" c="dimmed" role="status">
            {words.waiting}
          </Text>
        )}
      </Stack>
    </WizardFrame>
  );
};
