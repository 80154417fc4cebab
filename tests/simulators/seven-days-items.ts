/** The game has thousands; these are enough for tests. */
export const sevenDaysItems: readonly string[] = [
  'ammo9mmBulletBall',
  'casinoCoin',
  'drinkJarBoiledWater',
  'foodCanBeef',
  'gunHandgunT1Pistol',
  'medicalFirstAidBandage',
  'meleeToolRepairT1ClawHammer',
  'resourceForgedIron',
  'resourceWood',
  'vehicleBicyclePlaceable',
];

/** Six colors, from brown to purple. */
export const bestQuality = 6;
