import { createRequire } from 'node:module';
import { join } from 'node:path';
import { koffiFile } from '#runtime/windows/koffi-file.ts';

type Native = (...args: readonly unknown[]) => unknown;

/** The part used here of Koffi, which calls functions of Windows's own libraries. */
interface Koffi {
  config(settings: { readonly sync_stack_size: number }): void;
  load(library: string): { func(declaration: string): Native };
  struct(name: string, members: Readonly<Record<string, string>>): unknown;
}

/** The shell loads extensions of other programs into the process that asks it. */
const stackBytes = 8 * 1024 * 1024;

const openKoffi = (programsFolder: string): Koffi =>
  createRequire(import.meta.url)(join(programsFolder, koffiFile)) as Koffi;

/** ERROR_CANCELLED and the like. */
type WindowsError = number;

const askingMask = {
  /** Keeps the process handle, to wait for its end. */
  noCloseProcess: 0x40,
  /** The thread does not run a message loop afterwards. */
  noAsync: 0x100,
  /** We report errors ourselves. */
  noUi: 0x400,
};
const apartmentThreaded = 2;
const forEver = 0xffffffff;
/** Opens no window. */
const hidden = 0;

/**
 * Makes Windows ask the user whether a program may run with an administrator's rights, and waits for its end. Blocks the
 * thread until then.
 * @param argumentText as it follows the program on a command line
 * @param owner the handle of the window that the question belongs to; zero: none
 */
export const runAsAdministrator = (
  programsFolder: string,
  program: string,
  argumentText: string,
  owner: bigint,
): { readonly exitCode: number } | { readonly error: WindowsError } => {
  const koffi = openKoffi(programsFolder);
  koffi.config({ sync_stack_size: stackBytes });
  koffi.struct('SHELLEXECUTEINFOW', {
    cbSize: 'uint32_t',
    fMask: 'uint32_t',
    hwnd: 'intptr_t',
    lpVerb: 'str16',
    lpFile: 'str16',
    lpParameters: 'str16',
    lpDirectory: 'str16',
    nShow: 'int',
    hInstApp: 'intptr_t',
    lpIDList: 'intptr_t',
    lpClass: 'intptr_t',
    hkeyClass: 'intptr_t',
    dwHotKey: 'uint32_t',
    hIcon: 'intptr_t',
    hProcess: 'intptr_t',
  });
  const shell = koffi.load('shell32.dll');
  const kernel = koffi.load('kernel32.dll');
  const initialize = koffi
    .load('ole32.dll')
    .func('long __stdcall CoInitializeEx(intptr_t reserved, uint32_t how)');
  const execute = shell.func('int __stdcall ShellExecuteExW(_Inout_ SHELLEXECUTEINFOW *info)');
  const lastError = kernel.func('uint32_t __stdcall GetLastError()');
  const wait = kernel.func('uint32_t __stdcall WaitForSingleObject(intptr_t handle, uint32_t milliseconds)');
  const exitCodeOf = kernel.func('int __stdcall GetExitCodeProcess(intptr_t process, _Out_ uint32_t *code)');

  /** Never zero, which reads as success: a call in between may reset the number. */
  const errorNumber = (): WindowsError => Number(lastError()) || 1;

  initialize(0, apartmentThreaded);
  const info = {
    cbSize: 112,
    fMask: askingMask.noCloseProcess | askingMask.noAsync | askingMask.noUi,
    hwnd: owner,
    lpVerb: 'runas',
    lpFile: program,
    lpParameters: argumentText,
    lpDirectory: null,
    nShow: hidden,
    hInstApp: 0,
    lpIDList: 0,
    lpClass: 0,
    hkeyClass: 0,
    dwHotKey: 0,
    hIcon: 0,
    hProcess: 0,
  };
  if (execute(info) === 0) return { error: errorNumber() };
  if (!info.hProcess) return { error: 1 };
  wait(info.hProcess, forEver);
  const code = [0];
  return exitCodeOf(info.hProcess, code) === 0 ? { error: errorNumber() } : { exitCode: code[0] ?? 1 };
};

/** Not after a crash or a hang of ours, which are handled elsewhere. */
const afterUpdatesAlone = { noCrash: 1, noHang: 2 };

/**
 * Asks Windows to start this program again when it has ended it for an update, or restarts.
 * @returns whether Windows has accepted
 */
export const registerRestart = (programsFolder: string, argumentText: string): boolean => {
  const register = openKoffi(programsFolder)
    .load('kernel32.dll')
    .func('long __stdcall RegisterApplicationRestart(str16 commandLine, uint32_t flags)');
  return register(argumentText, afterUpdatesAlone.noCrash | afterUpdatesAlone.noHang) === 0;
};
