import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { communityHttp, logoLimits } from '#contracts/operations/community-http.ts';
import { askAccess } from '../../kit/access/access-state.ts';
import { isConflict } from '../../kit/api/api-problem.ts';
import { NotSaved, sendChange } from '../../kit/api/send-change.ts';
import { hearCommunity, presentCommunity, useCommunity } from '../../kit/community/community-state.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConflictNotice } from '../../kit/design/conflict-notice.tsx';
import { MarkSign } from '../../kit/design/mark.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { base64Of } from '../../kit/pictures/base64-of.ts';
import { pictureTypes, shrinkPicture } from '../../kit/pictures/shrink-picture.ts';
import classes from './settings.module.css';
import { settingsWords } from './settings.words.ts';

/** A logo to save, in base64; null removes the current one. */
type Wanted = string | null;

/** The community's logo. The image is scaled down here; the API checks what arrives. */
export const LogoCard = ({ mayChange }: { readonly mayChange: boolean }) => {
  const { logo: words } = useWords(settingsWords);
  const { logo } = useCommunity();
  const [isSaving, setIsSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isUnusable, setIsUnusable] = useState(false);
  /** The change that was refused because someone else was first; undefined: none. */
  const [mine, setMine] = useState<Wanted>();
  const resetFile = useRef<() => void>(null);

  const save = async (wanted: Wanted) => {
    setIsSaving(true);
    setError(null);
    try {
      const body = { seen: presentCommunity().logo, logo: wanted };
      hearCommunity(await sendChange(communityHttp.setLogo, { body }));
      setMine(undefined);
      notifyDone(wanted === null ? words.removed : words.saved);
    } catch (failure) {
      if (isConflict(failure) || failure instanceof NotSaved) await askAccess();
      if (!isConflict(failure)) return setError(failure);
      setMine(wanted);
    } finally {
      setIsSaving(false);
    }
  };
  const choose = async (file: File) => {
    resetFile.current?.();
    setError(null);
    const picture = await shrinkPicture(file, logoLimits);
    setIsUnusable(picture === null);
    if (picture) await save(await base64Of(picture));
  };

  return (
    <Card title={words.title}>
      <Group align="flex-start" wrap="nowrap">
        <span className={classes.logo} role="img" aria-label={logo === null ? words.none : words.present}>
          <MarkSign size={64} />
        </span>
        <Stack gap="xs" align="flex-start">
          <Text size="sm" c="dimmed">
            {words.help}
          </Text>
          {mayChange && (
            <Group gap="xs">
              <FileButton
                accept={pictureTypes.join(',')}
                resetRef={resetFile}
                onChange={(file) => file && void choose(file)}
                inputProps={{ 'aria-label': words.choose }}
              >
                {(props) => (
                  <Button {...props} variant="default" loading={isSaving}>
                    {logo === null ? words.choose : words.change}
                  </Button>
                )}
              </FileButton>
              {logo !== null && (
                <Button variant="subtle" disabled={isSaving} onClick={() => void save(null)}>
                  {words.remove}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </Group>
      {isUnusable && (
        <Text c="var(--tone-bad)" role="alert">
          {words.unusable}
        </Text>
      )}
      {mine !== undefined && (
        <ConflictNotice
          title={words.conflict}
          isSaving={isSaving}
          onTakeTheirs={() => setMine(undefined)}
          onKeepMine={() => void save(mine)}
        >
          <Text size="sm">{mine === null ? words.removesTheirs : words.replacesTheirs}</Text>
        </ConflictNotice>
      )}
      {error !== null && <Trouble error={error} />}
    </Card>
  );
};
