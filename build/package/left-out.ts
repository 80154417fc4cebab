import type { ElectronSystem } from '../electron-runtime.ts';

/** Paths in a package of Postgres that none of our code and no shipped extension loads. Measured in decision 0080. */
const ofPostgres: readonly RegExp[] = [
  // Messages in other languages: we ask Postgres for English, which is built into its programs.
  /^native\/share\/(?:postgresql\/)?(?:locale|doc|man)\//,
  // For compiling against Postgres.
  /^native\/include\//,
  /^native\/lib\/(?:pkgconfig|postgresql\/pgxs)\//,
  /^native\/lib\/.*\.(?:a|lib)$/,
  /^native\/(?:bin|lib)\/lib(?:ecpg|ecpg_compat|pgtypes)\b/,
  // Languages whose interpreters are not in the package, and the type conversions for them.
  /\/(?:\w+_)?pl(?:perl|python3|tcl)u?\b[^/]*$/,
  // Tests, a debugger, and tools of another vendor.
  /\/(?:test_decoding|plugin_debugger|pldbgapi|testplug|system_stats)\b[^/]*$/,
  /\/wx\w+\.dll$/,
  // Imported by no program or library of the package.
  /^native\/bin\/(?:icuio|icutu|libcurl)\w*\.dll$/,
  /^native\/share\/(?:postgresql\/)?(?:psqlrc|pg_service\.conf)\.sample$/,
  // How npm unpacks it.
  /^(?:scripts\/|README\.md$|native\/pg-symlinks\.json$)/,
  /\.(?:map|d\.[cm]?ts)$/,
];

/** @param path below the package of Postgres, with slashes */
export const isLeftOutOfPostgres = (path: string): boolean => ofPostgres.some((rule) => rule.test(path));

/**
 * Below the unpacked desktop: what Electron has only for pages unlike ours. The two libraries compile shaders for WebGPU; what
 * draws without a graphics card (vk_swiftshader, d3dcompiler) stays.
 */
export const leftOutOfElectron: Readonly<Record<ElectronSystem, readonly string[]>> = {
  linux: ['resources/default_app.asar'],
  win: ['resources/default_app.asar', 'dxcompiler.dll', 'dxil.dll'],
};
