"""cfn-lint as its command has it, for many templates at once.

Which attributes a template's resources have is worked out once a template and not once a
reference, of which the largest has a thousand: more than half of the time, and the same findings.
"""

import functools
import sys

from cfnlint.runner import main
from cfnlint.template import Template

Template.get_valid_getatts = functools.cache(Template.get_valid_getatts)  # type: ignore[method-assign]
sys.exit(main())
