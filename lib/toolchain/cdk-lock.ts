/** An entry of package-lock.json. */
interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
}

export interface PackageLock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** The CDK's command, its library, and the constructs library. */
const cdkPackages = ["aws-cdk", "aws-cdk-lib", "constructs"] as const;

/** The two files from which `npm ci` installs a tree of packages. */
interface LockedTree {
  readonly packageJson: { readonly private: true; readonly dependencies: Record<string, string> };
  readonly packageLock: object;
}

/** Returns the locked packages that the CDK needs. Throws if the lock lacks one of them. */
export function cdkTree({ packages }: PackageLock): LockedTree {
  const needed = new Map<string, LockedPackage>();
  for (const name of cdkPackages) addPackage(`node_modules/${name}`, packages, needed);
  const dependencies = Object.fromEntries(
    cdkPackages.map((name) => [name, lockedPackage(`node_modules/${name}`, packages).version]),
  );
  const locked = [...needed].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    packageJson: { private: true, dependencies },
    packageLock: {
      lockfileVersion: 3,
      requires: true,
      packages: { "": { dependencies }, ...Object.fromEntries(locked) },
    },
  };
}

function lockedPackage(place: string, packages: PackageLock["packages"]) {
  const { version, ...found } = packages[place] ?? {};
  if (version === undefined) throw new Error(`package-lock.json has no version of ${place}`);
  return { version, ...found };
}

function addPackage(
  place: string,
  packages: PackageLock["packages"],
  needed: Map<string, LockedPackage>,
): void {
  if (needed.has(place)) return;
  const found = lockedPackage(place, packages);
  const { dev: _, ...locked } = found;
  needed.set(place, locked);
  for (const name of Object.keys({ ...found.dependencies, ...found.peerDependencies })) {
    addPackage(placeSeenFrom(place, name, packages), packages, needed);
  }
}

/** Returns the place of the package that Node.js would load: in the requiring package, then above it. */
function placeSeenFrom(from: string, name: string, packages: PackageLock["packages"]): string {
  for (
    let folder = from;
    folder !== "";
    folder = folder.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, "")
  ) {
    const place = `${folder}/node_modules/${name}`;
    if (place in packages) return place;
  }
  return `node_modules/${name}`;
}
