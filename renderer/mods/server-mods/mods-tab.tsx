import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ChangeWish, ModsJob, ServerMods } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import type { ChosenMod } from '../mod-parts/project-view.tsx';
import { FoundList, type Installed, InstalledList } from './installed-list.tsx';
import { JobHistory } from './job-history.tsx';
import { modsWords } from './mods.words.ts';
import { ModsState } from './mods-state.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { PlayerListCard } from './player-list-card.tsx';
import { SearchDrawer, VersionDrawer } from './search-drawer.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { useMods } from './use-mods.ts';

interface PinDraft {
  readonly reason: string;
  readonly until: string;
}

/** Pins a mod to its version, and asks why and until when. */
const PinDialog = (props: {
  readonly serverId: string;
  readonly mod: Installed;
  /** The earlier input; null: none. */
  readonly draft: PinDraft | null;
  /** Null: the mod was pinned. */
  readonly onType: (draft: PinDraft | null) => void;
  readonly onClose: () => void;
}) => {
  const { serverId, mod, draft, onType, onClose } = props;
  const words = useWords(modsWords);
  const pin = useChange(modsHttp.pin, [modsHttp.read]);
  const fields = draft ?? { reason: mod.pin?.reason ?? '', until: mod.pin?.until ?? '' };
  return (
    <FormDialog
      title={<bdi>{words.pinTitle(`${mod.name} ${mod.versionName ?? ''}`.trim())}</bdi>}
      act={words.pinAct}
      isActing={pin.isPending}
      error={pin.error}
      onSubmit={() => {
        const reason = fields.reason.trim();
        const until = fields.until.trim() || null;
        if (reason === '') return;
        pin.mutate(
          { params: { serverId, key: mod.key }, body: { reason, until } },
          {
            onSuccess: () => {
              notifyDone(words.isPinned(mod.name));
              onType(null);
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    >
      <Text size="sm">{words.pinText}</Text>
      <Textarea
        label={words.reason}
        description={words.reasonHelp}
        value={fields.reason}
        onChange={({ currentTarget }) => onType({ ...fields, reason: currentTarget.value })}
        maxLength={500}
        autosize
        minRows={2}
        required
        data-autofocus
      />
      <TextInput
        label={words.untilLabel}
        description={words.untilHelp}
        value={fields.until}
        onChange={({ currentTarget }) => onType({ ...fields, until: currentTarget.value })}
        maxLength={500}
      />
    </FormDialog>
  );
};

/** Installs a mod from the address of its file. */
const AddressDialog = (props: {
  readonly address: string;
  readonly onType: (address: string) => void;
  readonly onPlan: (wishes: readonly ChangeWish[]) => void;
  readonly onClose: () => void;
}) => {
  const { address, onType, onPlan, onClose } = props;
  const words = useWords(modsWords);
  const [isRefused, setIsRefused] = useState(false);
  return (
    <FormDialog
      title={words.addressTitle}
      act={words.lookAtPlan}
      isActing={false}
      onSubmit={() => {
        const url = address.trim();
        // The API checks it more closely; one that runs by itself may allow http in its settings.
        const isAddress = /^https?:\/\/[^/]/i.test(url) && URL.canParse(url);
        setIsRefused(!isAddress);
        if (isAddress) onPlan([{ do: 'install-address', url }]);
      }}
      onClose={onClose}
    >
      <Text size="sm">{words.addressText}</Text>
      <TextInput
        value={address}
        onChange={({ currentTarget }) => {
          setIsRefused(false);
          onType(currentTarget.value);
        }}
        type="text"
        inputMode="url"
        label={words.address}
        placeholder="https://"
        error={isRefused ? words.addressFault : null}
        maxLength={2000}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
};

/** The dialog or drawer that is open over the page, one at a time. */
type Open =
  | { readonly is: 'search' | 'upload' | 'address' }
  | { readonly is: 'version' | 'pin'; readonly mod: Installed }
  | { readonly is: 'plan'; readonly wishes: readonly ChangeWish[] };

/** The mods of a game server, which are on its own machine. */
export const ModsTab = ({ server }: { readonly server: GameServer }) => {
  const read = useMods(server);
  return <AsyncContent read={read}>{(mods) => <Parts server={server} mods={mods} />}</AsyncContent>;
};

const Parts = ({ server, mods }: { readonly server: GameServer; readonly mods: ServerMods }) => {
  const words = useWords(modsWords);
  const mayAct = useCan()('mods.write', server.id);
  const [open, setOpen] = useState<Open | null>(null);
  // Selected and typed values outlive their dialog: Escape loses none of them.
  const [chosen, setChosen] = useState<readonly ChosenMod[]>([]);
  const [address, setAddress] = useState('');
  const [pins, setPins] = useState<Readonly<Record<string, PinDraft | null>>>({});
  const unpin = useChange(modsHttp.unpin, [modsHttp.read]);
  const { values, set } = useSearchState();
  const isLinked = values.mods === 'add';
  // A link only opens the search.
  useEffect(() => {
    if (!isLinked) return;
    set({ mods: '' });
    if (mayAct) setOpen({ is: 'search' });
  }, [isLinked, mayAct, set]);
  const { list } = mods;
  const onPlan = (wishes: readonly ChangeWish[]) => setOpen({ is: 'plan', wishes });
  const onUndo = ({ id }: ModsJob) => onPlan([{ do: 'undo', job: id }]);
  const onSearch = () => setOpen({ is: 'search' });
  const onUpload = () => setOpen({ is: 'upload' });
  const onAddress = () => setOpen({ is: 'address' });
  const onClose = () => setOpen(null);
  const onBegun = () => {
    setChosen([]);
    setAddress('');
  };
  return (
    <Stack>
      <ModsState
        server={server}
        mods={mods}
        onSearch={onSearch}
        onUpload={onUpload}
        onAddress={onAddress}
        onUpdateAll={() => onPlan([{ do: 'update-all' }])}
        onUndo={onUndo}
      />
      {list && (
        <>
          <InstalledList
            mods={mods}
            installed={list.installed}
            mayAct={mayAct}
            onSearch={onSearch}
            acts={{
              onUpdate: ({ key, update }) =>
                onPlan([{ do: 'update', key, version: update?.version ?? null }]),
              onOtherVersion: (mod) => setOpen({ is: 'version', mod }),
              onPin: (mod) => setOpen({ is: 'pin', mod }),
              onUnpin: ({ key, name }) =>
                unpin.mutate(
                  { params: { serverId: server.id, key } },
                  { onSuccess: () => notifyDone(words.unpinned(name)), onError: notifyTrouble },
                ),
              onRemove: ({ key }) => onPlan([{ do: 'remove', key }]),
            }}
          />
          <FoundList
            mods={mods}
            list={list}
            mayAct={mayAct}
            onAdopt={(path) => onPlan([{ do: 'adopt', path }])}
          />
          <PlayerListCard serverId={server.id} mods={mods} mayAct={mayAct} />
        </>
      )}
      <JobHistory serverId={server.id} mods={mods} mayAct={mayAct} onUndo={onUndo} />
      {open && <FocusReturn />}
      {open?.is === 'search' && (
        <SearchDrawer
          server={server}
          chosen={chosen}
          onChange={setChosen}
          onPlan={onPlan}
          onUpload={onUpload}
          onAddress={onAddress}
          onClose={onClose}
        />
      )}
      {open?.is === 'version' && (
        <VersionDrawer server={server} mod={open.mod} onPlan={onPlan} onClose={onClose} />
      )}
      {open?.is === 'upload' && <UploadDialog serverId={server.id} onPlan={onPlan} onClose={onClose} />}
      {open?.is === 'address' && (
        <AddressDialog address={address} onType={setAddress} onPlan={onPlan} onClose={onClose} />
      )}
      {open?.is === 'pin' && (
        <PinDialog
          serverId={server.id}
          mod={open.mod}
          draft={pins[open.mod.key] ?? null}
          onType={(draft) => setPins({ ...pins, [open.mod.key]: draft })}
          onClose={onClose}
        />
      )}
      {open?.is === 'plan' && (
        <PlanDialog server={server} mods={mods} wishes={open.wishes} onBegun={onBegun} onClose={onClose} />
      )}
    </Stack>
  );
};

/** One dialog leads to the next: after the last, the focus returns to the element that opened the first. */
const FocusReturn = () => {
  useReturnFocus();
  return null;
};
