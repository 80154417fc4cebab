import { join, resolve } from 'node:path';
import type { Configuration } from 'electron-builder';
import { product } from '#contracts/product.ts';
import type { ElectronRuntime } from '../electron-runtime.ts';

const installer = resolve(import.meta.dirname, '../installer');

export interface BuilderSurroundings {
  readonly outFolder: string;
  readonly runtime: ElectronRuntime;
}

/** Everything that electron-builder is told; nothing stands anywhere else. */
export const electronBuilderConfig = ({ outFolder, runtime }: BuilderSurroundings): Configuration => ({
  appId: product.appId,
  productName: product.name,
  copyright: product.name,
  directories: { output: outFolder, buildResources: installer },
  electronDist: runtime.folder,
  electronVersion: runtime.version,
  asar: true,
  files: ['**/*'],
  // The languages that the desktop speaks; others only change how Chromium's own few words read.
  electronLanguages: ['en-US', 'en-GB', 'pt-BR', 'pt-PT'],
  // The bundles hold all that they need: nothing is to be collected, installed or compiled.
  beforeBuild: async () => false,
  publish: null,
  electronFuses: {
    // Its Electron is no Node for anybody, whatever stands in the environment or on the command line.
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    // Electron loads the archive that it was packaged with, or nothing. (It checks the archive on Windows only.)
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
  },
  win: {
    executableName: product.name,
    icon: join(installer, 'castellan.ico'),
    target: 'dir',
  },
  linux: {
    executableName: product.name.toLowerCase(),
    icon: resolve(import.meta.dirname, '../../resources/icons'),
    category: 'Utility',
    target: 'dir',
  },
});
