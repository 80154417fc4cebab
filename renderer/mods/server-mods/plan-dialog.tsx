import { Button, Checkbox, Fieldset, FileButton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InWords } from '#contracts/kernel/words.ts';
import type { ChangeWish, ModsPlan, PlanFault, PlanLine, ServerMods } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { callOnce } from '../../kit/api/call.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { Ghost } from '../../kit/design/ghost.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { FaultList } from '../mod-parts/fault-list.tsx';
import { modPartsWords } from '../mod-parts/mod-parts.words.ts';
import { PlanLines } from '../mod-parts/plan-lines.tsx';
import { RunOptions, useRunOptions } from '../mod-parts/run-options.tsx';
import { modsWords } from './mods.words.ts';
import { UnneededMods } from './unneeded-mods.tsx';
import { modFileTypes, UploadProgress } from './upload-dialog.tsx';
import { useBeginJob } from './use-mods.ts';
import { discardUpload, useUpload } from './use-upload.ts';
import { withPart, withUpload } from './wishes.ts';

/** The effects of a change, the obstacles to it, how it is carried out, and the button that starts it. */
export const PlanDialog = (props: {
  readonly server: GameServer;
  readonly mods: ServerMods;
  readonly wishes: readonly ChangeWish[];
  readonly onBegun: () => void;
  readonly onClose: () => void;
}) => {
  const { server, mods, wishes: asked, onBegun, onClose } = props;
  const words = useWords(modsWords);
  const [wishes, setWishes] = useState(asked);
  const serverId = server.id;
  // It changes nothing; each time the dialog opens it makes a new plan, and none is kept for another dialog.
  const read = useQuery({
    queryKey: ['mods plan', serverId, wishes],
    queryFn: ({ signal }) =>
      callOnce(modsHttp.plan, { params: { serverId }, body: { wishes: [...wishes] } }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { begin, isRunning, error } = useBeginJob(serverId);
  const options = useRunOptions(mods.defaultWatch);
  const [backup, setBackup] = useState(true);
  const [rehearse, setRehearse] = useState<boolean | null>(null);
  const plan = read.isFetching ? undefined : read.data;
  const isBlocked = plan?.faults.some(({ isBlocking }) => isBlocking) ?? true;
  const canDo = plan !== undefined && plan.lines.length > 0 && !isBlocked;
  const canRehearse = plan?.needsRestart === true && plan.rehearsalObstacle === null;
  return (
    <FormDialog
      title={<bdi>{words.planTitle(server.name)}</bdi>}
      size="lg"
      act={plan && plan.lines.length > 0 ? actOf(plan, words) : null}
      isActing={isRunning}
      isReady={canDo}
      error={error}
      onSubmit={() => {
        if (!plan) return;
        const body = { plan: plan.id, backup, rehearse: canRehearse && (rehearse ?? true), ...options.value };
        void begin(body).then((isBegun) => {
          if (!isBegun) return;
          notifyDone(words.begun);
          onBegun();
          onClose();
        });
      }}
      onClose={() => {
        if (!isRunning)
          for (const wish of wishes) if (wish.do === 'install-upload') discardUpload(serverId, wish.upload);
        onClose();
      }}
      otherActs={
        !read.isFetching && (
          <Button variant="default" disabled={isRunning} onClick={() => void read.refetch()}>
            {words.planAgain}
          </Button>
        )
      }
    >
      {read.isFetching && (
        <Stack gap="sm">
          <Text role="status">{words.planMaking}</Text>
          <Ghost height={56} />
          <Ghost height={56} />
          <Ghost height={56} />
        </Stack>
      )}
      {!read.isFetching && read.error && <Trouble error={read.error} />}
      {plan && (
        <>
          <Faults
            plan={plan}
            serverId={serverId}
            onUploaded={(fault, upload) => setWishes((now) => withUpload(now, fault, upload))}
            onPart={(path, isChosen) => setWishes((now) => withPart(now, path, isChosen))}
          />
          {plan.lines.length === 0 && plan.faults.length === 0 && (
            <EmptyState title={words.planNothing} text={words.planNothingText} />
          )}
          {plan.lines.length > 0 && <Body plan={plan} />}
          <UnneededMods
            mods={plan.unneeded}
            onRemove={(key) => setWishes((now) => [...now, { do: 'remove', key }])}
          />
          {canDo && (
            <Fieldset legend={words.options}>
              <Stack gap="sm">
                {plan.needsRestart && <RunOptions options={options} />}
                <Checkbox
                  label={words.backup}
                  checked={backup}
                  onChange={({ currentTarget }) => setBackup(currentTarget.checked)}
                />
                {plan.needsRestart && (
                  <Checkbox
                    label={words.rehearse}
                    disabled={!canRehearse}
                    checked={canRehearse && (rehearse ?? true)}
                    onChange={({ currentTarget }) => setRehearse(currentTarget.checked)}
                    {...(plan.rehearsalObstacle !== null && {
                      description: `${words.rehearseNot} ${plan.rehearsalObstacle}`,
                    })}
                  />
                )}
              </Stack>
            </Fieldset>
          )}
        </>
      )}
    </FormDialog>
  );
};

const Body = ({ plan }: { readonly plan: ModsPlan }) => {
  const words = useWords(modsWords);
  const format = useFormat();
  return (
    <div>
      <Title order={3}>{words.planLines}</Title>
      <PlanLines lines={plan.lines} />
      <Facts
        facts={[
          ...(plan.downloadBytes > 0
            ? [{ label: words.planSize, value: format.bytes(plan.downloadBytes) }]
            : []),
          { label: words.planRestart, value: plan.needsRestart ? words.restartYes : words.restartNo },
        ]}
      />
    </div>
  );
};

/** The button names its effect. */
const actOf = ({ lines, needsRestart }: ModsPlan, words: InWords<(typeof modsWords)['en']>): string => {
  // Dependencies are not what was asked for.
  const asked = lines.filter(({ neededBy }) => neededBy === null);
  const kinds = new Set(asked.map(({ change }) => change));
  const [kind] = kinds;
  const change: PlanLine['change'] | 'mixed' = kinds.size === 1 && kind ? kind : 'mixed';
  const act = words.acts[change](change === 'mixed' ? lines.length : asked.length);
  return needsRestart ? words.andRestart(act) : act;
};

/** The faults that block the plan, with an upload for files that a person has to download, and the warnings. */
const Faults = ({
  plan,
  serverId,
  onUploaded,
  onPart,
}: {
  readonly plan: ModsPlan;
  readonly serverId: string;
  readonly onUploaded: (fault: PlanFault, upload: string) => void;
  /** A part of an archive was chosen, or is not wanted any more. */
  readonly onPart: (path: string, isChosen: boolean) => void;
}) => {
  const words = useWords(modsWords);
  const parts = useWords(modPartsWords);
  const { state, error, send, stop } = useUpload(serverId);
  const [wrong, setWrong] = useState<PlanFault | null>(null);
  const blocking = plan.faults.filter(({ isBlocking }) => isBlocking);
  const hints = plan.faults.filter(({ isBlocking }) => !isBlocking);
  const handIn = async (fault: PlanFault, file: File) => {
    setWrong(null);
    const upload = await send(file);
    if (!upload) return;
    if (fault.sha1 !== null && upload.sha1 !== null && upload.sha1 !== fault.sha1) {
      setWrong(fault);
      discardUpload(serverId, upload.id);
    } else onUploaded(fault, upload.id);
  };
  return (
    <>
      {blocking.length > 0 && (
        <section aria-label={words.planFaults}>
          <Title order={3}>{words.planFaults}</Title>
          <FaultList
            faults={blocking}
            actOf={(fault) =>
              (fault.code === 'BY_HAND' || fault.code === 'HASH_WRONG') &&
              fault.project !== null &&
              fault.version !== null && (
                <FileButton
                  accept={modFileTypes}
                  onChange={(file) => {
                    if (file) void handIn(fault, file);
                  }}
                  inputProps={{ 'aria-label': `${parts.chooseFile}: ${fault.fileName ?? fault.mod ?? ''}` }}
                >
                  {(props) => (
                    <Button {...props} size="xs" variant="default" disabled={state !== null}>
                      {parts.chooseFile}
                    </Button>
                  )}
                </FileButton>
              )
            }
          />
          {state && <UploadProgress state={state} onCancel={stop} />}
          {error !== null && <Trouble error={error} />}
          {wrong && (
            <Text c="var(--tone-bad)" role="alert">
              {words.wrongFile}
            </Text>
          )}
        </section>
      )}
      {hints.length > 0 && (
        <section aria-label={words.planHints}>
          <Title order={3}>{words.planHints}</Title>
          <FaultList
            faults={hints}
            actOf={({ parts: offered }) =>
              offered && (
                <Fieldset legend={words.optionalParts}>
                  <Stack gap="xs">
                    {offered.map(({ path, name, isChosen }) => (
                      <Checkbox
                        key={path}
                        label={<bdi>{name}</bdi>}
                        description={<bdi>{path}</bdi>}
                        checked={isChosen}
                        onChange={({ currentTarget }) => onPart(path, currentTarget.checked)}
                      />
                    ))}
                  </Stack>
                </Fieldset>
              )
            }
          />
        </section>
      )}
    </>
  );
};
