import type { SettingsSection } from '#contracts/settings.ts';
import { StateLabel } from '../design/state-label.tsx';
import { useWords } from '../language/use-words.ts';
import { formsWords } from './forms.words.ts';

export type KeptSecret = SettingsSection['secrets'][string];

/** Whether a secret is there and can be read; never what it is. An absent state is not known to be set. */
export const SecretState = ({ secret }: { readonly secret: KeptSecret | undefined }) => {
  const words = useWords(formsWords);
  if (!secret?.set) return <StateLabel tone="idle">{words.notSet}</StateLabel>;
  if (secret.fault) return <StateLabel tone="bad">{words.unreadable[secret.fault]}</StateLabel>;
  return <StateLabel tone="ok">{words.set}</StateLabel>;
};
