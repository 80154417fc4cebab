import { useState } from 'react';
import {
  type FirstRunDraft,
  type FirstRunPortal,
  type FirstRunState,
  type PortalReport,
  portalKeyPattern,
} from '#contracts/desktop/desktop-first-run.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';

type Found = Extract<PortalReport, { outcome: 'found' }>;

export interface PortalChoice {
  /** Null: this build names its portal, and nothing is asked. */
  readonly kind: FirstRunPortal['kind'] | null;
  readonly setKind: (kind: FirstRunPortal['kind']) => void;
  readonly url: string;
  readonly setUrl: (url: string) => void;
  /** The public key as pasted; empty: none. */
  readonly pasted: string;
  readonly setPasted: (key: string) => void;
  readonly isKey: boolean;
  readonly isPlainConfirmed: boolean;
  readonly setPlainConfirmed: (isConfirmed: boolean) => void;
  readonly fault: Exclude<PortalReport, Found> | null;
  /** Its key can now be compared; nothing is trusted until the person continues. */
  readonly found: Found | null;
  /** A key that was already confirmed for this address. */
  readonly isConfirmed: boolean;
  /** Whether the first run can continue with it. An address is looked up first: the next call confirms what was found. */
  readonly settle: () => Promise<boolean>;
}

/** The portal that the license comes from, in a build that names none. */
export const usePortalChoice = (
  state: FirstRunState,
  chosen: FirstRunDraft['portal'],
  keep: (portal: FirstRunPortal) => void,
): PortalChoice => {
  const known = chosen?.kind === 'connected' ? chosen : null;
  const [kind, setKind] = useState(chosen?.kind ?? (state.hasDemoPortal ? 'demo' : 'connected'));
  const [url, setUrl] = useState(known?.url ?? '');
  const [pasted, setPasted] = useState('');
  const [isPlainConfirmed, setPlainConfirmed] = useState(known?.isPlainConfirmed ?? false);
  const [report, setReport] = useState<PortalReport | null>(null);
  const publicKey = pasted.trim();
  const isKey = publicKey === '' || portalKeyPattern.test(publicKey);
  const found = report?.outcome === 'found' ? report : null;
  const isConfirmed = known !== null && known.url === url && publicKey === '';
  const change = (what: () => void) => {
    setReport(null);
    what();
  };
  const settle = async (): Promise<boolean> => {
    if (state.hasPortal) return true;
    if (kind === 'demo') {
      keep({ kind });
      return true;
    }
    if (isConfirmed) return true;
    if (found) {
      keep({ kind, url: found.url, publicKey: found.publicKey, isPlainConfirmed });
      setUrl(found.url);
      setPasted('');
      return true;
    }
    if (isKey) setReport(await callDesktop('firstRun.lookUpPortal', { url, publicKey, isPlainConfirmed }));
    return false;
  };
  return {
    kind: state.hasPortal ? null : kind,
    setKind,
    url,
    setUrl: (typed) =>
      change(() => {
        setUrl(typed);
        setPlainConfirmed(false);
      }),
    pasted,
    setPasted: (typed) => change(() => setPasted(typed)),
    isKey,
    isPlainConfirmed,
    setPlainConfirmed: (is) => change(() => setPlainConfirmed(is)),
    fault: report && report.outcome !== 'found' ? report : null,
    found,
    isConfirmed,
    settle,
  };
};
